package dev.sheaf.server.maintenance.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.Main;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `sheaf admin restore`: a dry run says yes to exactly what the restore takes, and what is refused leaves nothing
/// behind.
class RestoreCommandTest extends BackupFixture {
    private static final String[] DRY = {"--dry-run"};
    private static final String[] REAL = {};

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Path target() {
        return folder.resolve("backups");
    }

    /// @return the flags of an installation that is yet to be made, with the master key of what was backed up
    private Map<String, String> backedUp(TestApp app) throws IOException {
        fill(app);
        backup(app, target());
        return app.next(Stack.SQLITE, folder.resolve("new"));
    }

    private ServerExit restore(Map<String, String> flags, String... more) {
        return restoreFrom(latest(target()), flags, more);
    }

    private ServerExit restoreFrom(Path backup, Map<String, String> flags, String... more) {
        out.reset();
        err.reset();
        var arguments = new ArrayList<>(List.of("admin", "restore", backup.toString()));
        arguments.addAll(List.of(more));
        flags.forEach((name, value) -> arguments.add("--" + name + "=" + value));
        return Main.run(arguments, Map.of(), print(out), print(err));
    }

    private static PrintStream print(ByteArrayOutputStream to) {
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    /// Refused by both, for the same reason, with nothing made or changed.
    private void assertRefused(Map<String, String> flags, String why) throws IOException {
        var before = tree();
        for (var how : List.of(DRY, REAL)) {
            assertThat(restore(flags, how)).as("%s", (Object) how).isEqualTo(ServerExit.FAILED);
            assertThat(err.toString(StandardCharsets.UTF_8)).contains(why);
            assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain("is complete", "can be restored");
            assertThat(tree()).as("%s", (Object) how).isEqualTo(before);
        }
    }

    /// Every file of the backups and of the new installation by its bytes, every folder.
    private Map<String, String> tree() throws IOException {
        var tree = new TreeMap<String, String>();
        try (var all = Files.walk(folder)) {
            for (Path path :
                    all.filter(path -> !path.startsWith(folder.resolve("a"))).toList()) {
                tree.put(
                        path.toString(),
                        Files.isDirectory(path)
                                ? "folder " + Files.getPosixFilePermissions(path)
                                : Digest.sha256(Files.readAllBytes(path)).toString());
            }
        }
        return tree;
    }

    private static int tables(Map<String, String> flags) throws SQLException {
        String url = flags.get("database-url");
        if (url == null) {
            return 0;
        }
        try (var connection =
                        DriverManager.getConnection(url, flags.get("database-user"), flags.get("database-password"));
                var rows =
                        connection.getMetaData().getTables(null, connection.getSchema(), "%", new String[] {"TABLE"})) {
            int count = 0;
            while (rows.next()) {
                count++;
            }
            return count;
        }
    }

    private void forge() throws IOException {
        Path keys = latest(target()).resolve("tables/api_key.jsonl");
        Path manifest = latest(target()).resolve("backup.json");
        String before = Digest.sha256(Files.readAllBytes(keys)).hex();
        Files.writeString(keys, Files.readString(keys).replace("\"scopes\":\"read\"", "\"scopes\":\"admi\""));
        String after = Digest.sha256(Files.readAllBytes(keys)).hex();
        assertThat(after).isNotEqualTo(before);
        Files.writeString(manifest, Files.readString(manifest).replace(before, after));
    }

    @Test
    void aForgedBackupIsNotTrusted() throws Exception {
        try (var app = TestApp.start(folder.resolve("a"))) {
            var next = backedUp(app);
            forge();
            assertRefused(next, "the backup cannot be trusted: its seal");
        }
    }

    @Test
    void withoutTheRightMasterKeyNothingIsMade() throws Exception {
        try (var app = TestApp.start(folder.resolve("a"))) {
            var next = backedUp(app);
            next.put("master-key", MasterSecret.generate());
            assertRefused(next, "a different master key");
            next.remove("master-key");
            assertRefused(next, "this installation has no master key to check its seal with");
            Files.createDirectories(folder.resolve("new"));
            assertRefused(next, "this installation has no master key to check its seal with");
        }
    }

    @Test
    void aDamagedOneIsRefusedWithNothingMade() throws Exception {
        try (var app = TestApp.start(folder.resolve("a"))) {
            var next = backedUp(app);
            Files.writeString(latest(target()).resolve("tables/api_key.jsonl"), "{}\n");
            assertRefused(next, "api_key.jsonl is missing or damaged");
            assertThat(folder.resolve("new")).doesNotExist();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInstallationThatIsNotEmptyStaysAsItIs(Stack stack) throws Exception {
        try (var app = TestApp.start(folder.resolve("a"))) {
            backedUp(app);
            var flags = app.next(stack, folder.resolve("new"));
            app.startOn(flags).close();
            assertRefused(flags, "this installation is not empty");
        }
    }

    @Test
    void saysThatTheRestoredInstallationIsReadOnly() throws Exception {
        String hint =
                "the restored installation  is read-only, as the other one was during the backup; when a node runs:"
                        + " sheaf admin mode writable";
        try (var app = TestApp.start(folder.resolve("a"))) {
            var writable = backedUp(app);
            assertThat(restore(writable, DRY)).isEqualTo(ServerExit.OK);
            assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain("read-only");

            app.send("PUT", "/v1/admin/mode", app.admin(), "{\"readOnly\": true}");
            backup(app, target());
            for (var how : List.of(DRY, REAL)) {
                assertThat(restore(writable, how)).isEqualTo(ServerExit.OK);
                assertThat(out.toString(StandardCharsets.UTF_8)).contains(hint);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatTheDryRunSaysYesToIsRestored(Databases.Kind kind) throws Exception {
        try (var app = TestApp.start(folder.resolve("a"))) {
            backedUp(app);
            var next = app.next(Stack.SQLITE, folder.resolve("new"));
            if (kind == Databases.Kind.POSTGRES) {
                var empty = Databases.emptyPostgres();
                next.put("database-url", empty.jdbcUrl());
                next.put("database-user", empty.user());
                next.put("database-password", empty.password().expose());
            }
            var pulled = pulled(app);
            var before = tree();

            assertThat(restore(next, DRY))
                    .as(err.toString(StandardCharsets.UTF_8))
                    .isEqualTo(ServerExit.OK);
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .contains("is complete, and can be restored here")
                    .containsPattern("rows +[1-9]");
            assertThat(tree()).isEqualTo(before);
            assertThat(folder.resolve("new")).doesNotExist();
            assertThat(tables(next)).as("of the database").isZero();

            assertThat(restore(next, REAL))
                    .as(err.toString(StandardCharsets.UTF_8))
                    .isEqualTo(ServerExit.OK);
            try (var restored = app.startOn(next)) {
                assertThat(pulled(restored)).isEqualTo(pulled);
            }
        }
    }
}
