package dev.sheaf.server;

import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.Database;
import dev.sheaf.model.Handle;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.auth.secret.PepperRing;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.org.directory.FirstStart;
import dev.sheaf.server.org.key.ApiKeys;
import dev.sheaf.server.testing.Databases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class BootstrapTest {
    private static final String MASTER = MasterSecret.generate();

    @Test
    void givesTheFirstStartOneOrganizationAndOneKeyInAFile(@TempDir Path folder) throws Exception {
        try (var app = start(folder, "acme")) {
            var file = folder.resolve("bootstrap/admin-api-key");

            assertThat(app.firstKey())
                    .hasValueSatisfying(key -> assertThat(file).hasContent(key.expose()));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(rows(app.node().database(), "SELECT handle FROM organization"))
                    .containsExactly("acme");
            assertThat(rows(app.node().database(), "SELECT scopes FROM api_key"))
                    .containsExactly("admin");
        }
    }

    @Test
    void theFirstKeyIsShownToAPersonAndNotToALog(@TempDir Path folder) throws Exception {
        try (var app = start(folder, "acme")) {
            String key = app.firstKey().orElseThrow().expose();

            assertThat(new Welcome(true, "./sheaf").text(app))
                    .contains("shown here and never again:\n\n    " + key + "\n\nIt is also in ")
                    .contains(
                            "printf -- '---\\nname: hello\\ndescription: Says hello.\\n---\\n# Hello\\n' > hello/SKILL.md\n")
                    .contains("    ./sheaf resolve my-team/hello\n");
            assertThat(new Welcome(false, "sheaf").text(app))
                    .doesNotContain(key)
                    .contains("one admin API key. It is in " + app.bootstrapKey() + " (")
                    .contains("    sheaf resolve my-team/hello\n");
        }
    }

    @Test
    void givesTheSecondStartNothing(@TempDir Path folder) throws Exception {
        start(folder, "acme").close();
        var file = folder.resolve("bootstrap/admin-api-key");
        String first = Files.readString(file);
        Files.delete(file);

        try (var app = start(folder, "other")) {
            assertThat(app.firstKey()).isEmpty();
            assertThat(file).doesNotExist();
            assertThat(rows(app.node().database(), "SELECT handle FROM organization"))
                    .containsExactly("acme");
            assertThat(rows(app.node().database(), "SELECT count(*) FROM api_key"))
                    .containsExactly("1");
        }
        assertThat(first).startsWith("shf_");
    }

    @ParameterizedTest
    @EnumSource
    void makesNothingThatItCouldNotHandOver(Databases.Kind kind, @TempDir Path folder) {
        try (var database = kind.open(folder, InstantSource.system())) {
            var bootstrap = new FirstStart(database, keys(database));

            refusal(
                    Problem.StorageFull.class,
                    () -> bootstrap.run(Handle.parse("acme"), key -> {
                        throw new Problem.StorageFull().raise();
                    }));

            assertThat(rows(database, "SELECT handle FROM organization")).isEmpty();
            assertThat(bootstrap.run(Handle.parse("acme"), key -> {})).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource
    void letsOneOfManyThatStartTogetherWin(Databases.Kind kind, @TempDir Path folder) throws Exception {
        try (var database = kind.open(folder, InstantSource.system());
                var threads = Executors.newFixedThreadPool(4)) {
            var together = new CyclicBarrier(4);
            List<Secret> handedOver = Collections.synchronizedList(new ArrayList<>());
            var starts = new ArrayList<Future<Optional<Secret>>>();
            for (int i = 0; i < 4; i++) {
                starts.add(threads.submit(() -> {
                    together.await();
                    return new FirstStart(database, keys(database)).run(Handle.parse("acme"), handedOver::add);
                }));
            }

            var made = new ArrayList<Secret>();
            for (var start : starts) {
                start.get().ifPresent(made::add);
            }

            assertThat(made).hasSize(1);
            assertThat(handedOver)
                    .as("no node keeps a file with a key that is none")
                    .isEqualTo(made);
            assertThat(rows(database, "SELECT count(*) FROM api_key")).containsExactly("1");
        }
    }

    private static App start(Path folder, String organization) throws Exception {
        var flags = Map.of(
                "port", "0", "data-dir", folder.toString(), "bootstrap-org", organization, "min-free-bytes", "0");
        return App.start(Config.load(flags, Map.of()));
    }

    private static List<String> rows(Database database, String sql) {
        return database.read(
                tx -> tx.handle().createQuery(sql).mapTo(String.class).list());
    }

    private static ApiKeys keys(Database database) {
        return new ApiKeys(database, new PepperRing(database, MasterSecret.parse(MASTER), List.of()), 100);
    }
}
