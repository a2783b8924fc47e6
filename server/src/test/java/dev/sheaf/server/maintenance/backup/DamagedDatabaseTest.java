package dev.sheaf.server.maintenance.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.Main;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.TestApp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One page of `sheaf.db` is overwritten: the node says so, changes nothing and serves the rest, and the rest can be
/// saved. `-Dsheaf.damagedPages=50` overwrites that many pages, one after another, and prints what became of each.
@Timeout(900)
class DamagedDatabaseTest extends BackupFixture {
    private static final int BUNDLES = 40;
    private static final int PAGES = Integer.getInteger("sheaf.damagedPages", 0); // 0 for some chosen ones

    /// Tables that nearly all other rows need; their rows are also in indexes, those of assets in manifests.
    private static final List<String> ROOTS = List.of("organization", "namespace", "repository", "asset");

    private static final List<String> CHOSEN = List.of(
            "version",
            "organization",
            "namespace",
            "repository",
            "asset",
            "setting",
            "api_key",
            "signing_key",
            "sqlite_autoindex_blob_1",
            "flyway_schema_history");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private final Map<Integer, String> owners = new HashMap<>();

    /// What became of a node with a damaged page.
    ///
    /// @param of the table or index to which the page belongs
    /// @param noticed whether a few requests met it
    /// @param named whether fsck said of which table or index it is
    private record Outcome(String of, boolean started, boolean noticed, boolean named, boolean saved, int pulled) {}

    @Test
    void aDamagedPageIsNamedAndTheRestIsServedAndSaved() throws Exception {
        var whole = folder.resolve("whole");
        Secret admin;
        try (var app = TestApp.start(whole)) {
            admin = Secret.of(app.admin());
            fill(app);
            for (int i = 0; i < BUNDLES; i++) {
                app.push("many/kit-" + i, "1.0.0", "public", text(600));
            }
        }
        findOwners(whole);
        var pages = pages(whole);
        var outcomes = new TreeMap<Integer, Outcome>();
        for (int page : pages) {
            outcomes.put(page, damaged(whole, page, admin));
        }

        if (PAGES > 0) {
            print(outcomes);
        }
        assertThat(count(outcomes, Outcome::noticed)).isPositive();
        assertThat(count(outcomes, Outcome::named)).as("%s", outcomes).isEqualTo(outcomes.size());
        assertThat(count(outcomes, Outcome::saved))
                .as("%s", outcomes)
                .isGreaterThanOrEqualTo(outcomes.size() - 1); // all but the schema itself
        assertThat(count(outcomes, one -> one.saved() && one.pulled() > BUNDLES / 2))
                .isPositive();
        assertThat(outcomes.values())
                .filteredOn(one -> ROOTS.contains(one.of().substring(one.of().indexOf(' ') + 1)))
                .as("put together from indexes and manifests")
                .allMatch(one -> one.pulled() == BUNDLES);
        assertThat(outcomes.values())
                .filteredOn(one -> one.of().equals("table api_key"))
                .as("a start does not end because something else meets the damage")
                .allMatch(Outcome::started);
    }

    private static long count(Map<Integer, Outcome> outcomes, Predicate<Outcome> which) {
        return outcomes.values().stream().filter(which).count();
    }

    private static void print(Map<Integer, Outcome> outcomes) {
        outcomes.forEach((page, outcome) -> System.out.println("page " + page + ": " + outcome));
        System.out.printf(
                "%d places: %d of tables, %d of indexes; %d nodes started; %d met it in a few requests; fsck named %d;"
                        + " %d saved and restored, %d of them with every bundle%n",
                outcomes.size(),
                count(outcomes, one -> one.of().startsWith("table ")),
                count(outcomes, one -> one.of().startsWith("index ")),
                count(outcomes, Outcome::started),
                count(outcomes, Outcome::noticed),
                count(outcomes, Outcome::named),
                count(outcomes, Outcome::saved),
                count(outcomes, one -> one.pulled() == BUNDLES));
    }

    private void findOwners(Path data) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("sheaf.db"));
                var statement = connection.createStatement();
                var rows = statement.executeQuery("""
                        SELECT s.pageno, COALESCE(o.type, 'table') || ' ' || s.name
                        FROM dbstat s LEFT JOIN sqlite_schema o ON o.name = s.name""")) {
            while (rows.next()) {
                owners.put(rows.getInt(1), rows.getString(2));
            }
        }
    }

    /// Some tables and indexes, or pages at equal distances.
    private List<Integer> pages(Path data) throws SQLException {
        var pages = new ArrayList<Integer>();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("sheaf.db"));
                var statement = connection.createStatement()) {
            if (PAGES > 0) {
                try (var rows = statement.executeQuery("PRAGMA page_count")) {
                    int count = rows.getInt(1);
                    for (int i = 0; i < PAGES; i++) {
                        pages.add(1 + (int) ((long) i * count / PAGES));
                    }
                }
                return pages;
            }
            for (String name : CHOSEN) {
                try (var rows =
                        statement.executeQuery("SELECT rootpage FROM sqlite_schema WHERE name = '" + name + "'")) {
                    assertThat(rows.next()).as(name).isTrue();
                    pages.add(rows.getInt(1));
                }
            }
        }
        owners.forEach((page, owner) -> {
            if (page > 1 && owner.equals("table sqlite_schema") && pages.size() == CHOSEN.size()) {
                pages.add(page);
            }
        });
        return pages;
    }

    private Outcome damaged(Path whole, int page, Secret admin) throws IOException {
        var data = folder.resolve("damaged-" + page);
        copy(whole, data);
        overwrite(data.resolve("sheaf.db"), page);
        boolean started = true;
        boolean noticed = false;
        try (var app = TestApp.on(data, admin)) {
            noticed = served(app);
        } catch (StartException e) {
            started = false;
            assertThat(e).hasMessageContaining("the database");
        }
        String owner = owners.getOrDefault(page, "no table");
        run("fsck", data, "--dry-run");
        assertThat(text()).as("page %s", page).contains("damaged");
        boolean named = text().contains(owner.substring(owner.indexOf(' ') + 1));
        boolean saved = run("backup", data, "--salvage") == ServerExit.OK;
        assertThat(text()).as("page %s", page).doesNotContain("\tat dev.sheaf");
        if (!saved) {
            assertThat(text()).as("page %s", page).contains("list of tables (sqlite_schema) is damaged");
            return new Outcome(owner, started, noticed, named, false, 0);
        }
        return new Outcome(owner, started, noticed, named, true, restored(data, page, admin));
    }

    /// @return whether the node met the damage
    private static boolean served(TestApp app) {
        var statuses = pulls(app);
        statuses.add(app.get("/v1/hub/bundles", null).status());
        statuses.add(app.push("many/new", "1.0.0", "public", "# New").status());
        assertThat(statuses).isSubsetOf(200, 201, 503);
        boolean isDamaged = app.database().damage().fault().isPresent();
        if (isDamaged) {
            var refused = app.push("many/new", "2.0.0", "public", "# New");
            assertThat(refused.status()).as(refused.text()).isEqualTo(503);
            assertThat(refused.text()).contains("damaged");
            Reply ready = health(app);
            assertThat(ready.status()).as(ready.text()).isEqualTo(200);
            assertThat(ready.json().get("mode").get("readOnly").booleanValue()).isTrue();
            assertThat(app.get("/metrics", null).text()).contains("sheaf_database_damaged 1.0");
        }
        return isDamaged;
    }

    private static Reply health(TestApp app) {
        var last = new Reply[1];
        Eventually.within(Duration.ofSeconds(30), () -> {
            last[0] = app.get("/health/ready", null);
            return last[0].text().contains("\"detail\":\"damaged: ");
        });
        return last[0];
    }

    private static List<Integer> pulls(TestApp app) {
        var statuses = new ArrayList<Integer>();
        for (int i = 0; i < BUNDLES; i++) {
            var pulled = app.get("/v1/namespaces/many/bundles/kit-" + i + "/versions/1.0.0:pull", null);
            if (pulled.status() == 200) { // with all its files
                assertThat(pulled.json().get("manifest")).hasSize(1);
            }
            statuses.add(pulled.status());
        }
        return statuses;
    }

    /// @return how many bundles can be pulled from the restored installation
    private int restored(Path data, int page, Secret admin) throws IOException {
        var next = folder.resolve("restored-" + page);
        Files.createDirectories(next.resolve("secrets"));
        Files.copy(data.resolve("secrets/master-key"), next.resolve("secrets/master-key"));
        out.reset();
        err.reset();
        var exit = Main.run(
                List.of("admin", "restore", latest(data.resolve("backups")).toString(), "--data-dir", next.toString()),
                Map.of(),
                print(out),
                print(err));
        assertThat(exit).as("page %s: %s", page, text()).isEqualTo(ServerExit.OK);
        try (var app = TestApp.on(next, admin)) {
            var statuses = pulls(app);
            assertThat(statuses).as("page %s", page).isSubsetOf(200, 401, 404);
            assertThat(app.get("/v1/admin/stats", app.admin()).status())
                    .as("page %s", page)
                    .isIn(200, 401);
            return (int) statuses.stream().filter(status -> status == 200).count();
        }
    }

    private ServerExit run(String task, Path data, String flag) {
        out.reset();
        err.reset();
        try {
            return Main.run(
                    List.of("admin", task, flag, "--local", "--data-dir", data.toString()),
                    Map.of(),
                    print(out),
                    print(err));
        } catch (RuntimeException e) {
            throw new AssertionError(task + " of " + data + ": " + text(), e);
        }
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    private void overwrite(Path file, int page) throws IOException {
        try (var database = new RandomAccessFile(file.toFile(), "rw")) {
            database.seek(16);
            int size = database.readUnsignedShort(); // SQLite's file format, section 1.3
            size = size == 1 ? 65_536 : size;
            byte[] noise = new byte[size];
            random.nextBytes(noise);
            database.seek((page - 1L) * size);
            database.write(noise);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }
}
