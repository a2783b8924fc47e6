package dev.sheaf.server.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.Main;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.DebianPostgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A page of a PostgreSQL with checksums is overwritten while it is stopped: the node says so, changes nothing and
/// serves the rest, as with a damaged page of `sheaf.db`.
@Timeout(300)
@Tag("programs")
class DamagedPostgresTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int PAGE = 8_192;
    private static final int BUNDLES = 5;

    @TempDir
    private Path folder;

    private final Random random = new Random(1);

    @Test
    void damageIsAState() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (var server = DebianPostgres.open(folder.resolve("postgres"), Ports.free())) {
            Map<String, String> settings;
            Secret admin;
            try (var app = TestApp.start(
                    folder.resolve("node"),
                    Map.of(
                            "database-url", url(server),
                            "database-user", "postgres",
                            "database-password", "unused"))) {
                settings = app.with(Map.of());
                admin = Secret.of(app.admin());
                for (int i = 0; i < BUNDLES; i++) {
                    assertThat(push(app, "kit-" + i)).isEqualTo(201);
                }
            }

            byte[] table = overwrite(server, "version", 0, noise());
            try (var app = TestApp.on(settings, admin)) {
                assertThat(pulls(app)).isSubsetOf(200, 503).contains(503);
                assertDamaged(app, "invalid page in block 0");
            }
            assertThat(fsck(settings)).contains("table version", "damaged");
            overwrite(server, "version", 0, table);

            // the checksum of an empty page is right, but no index has one
            byte[] index = overwrite(server, "blob_digest_key", 1, new byte[PAGE]);
            try (var app = TestApp.on(settings, admin)) {
                assertThat(push(app, "first")).isEqualTo(503);
                assertThat(pulls(app)).isSubsetOf(200, 503);
                assertDamaged(app, "blob_digest_key");
            }
            overwrite(server, "blob_digest_key", 1, index);

            try (var app = TestApp.on(settings, admin)) {
                assertThat(app.database().damage().fault()).isEmpty();
                assertThat(push(app, "last")).isEqualTo(201);
            }
        }
    }

    private static int push(TestApp app, String bundle) {
        return app.push("acme/" + bundle, "1.0.0", "public", "# " + bundle).status();
    }

    private static List<Integer> pulls(TestApp app) {
        var statuses = new ArrayList<Integer>();
        for (int i = 0; i < BUNDLES; i++) {
            statuses.add(app.get("/v1/namespaces/acme/bundles/kit-" + i + "/versions/1.0.0:pull", null)
                    .status());
        }
        return statuses;
    }

    private static void assertDamaged(TestApp app, String fault) {
        assertThat(app.database().damage().fault().orElse("")).contains(fault);
        var refused = app.push("acme/refused", "1.0.0", "public", "# Refused");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.text()).contains("damaged");
        Eventually.within(SOON, () -> app.get("/health/ready", null).text().contains("\"detail\":\"damaged: "));
        var health = app.get("/health/ready", null);
        assertThat(health.status()).isEqualTo(200);
        assertThat(health.json().get("status").stringValue()).isEqualTo("degraded");
        assertThat(health.json().get("mode").get("readOnly").booleanValue()).isTrue();
        assertThat(app.get("/metrics", null).text()).contains("sheaf_database_damaged 1.0");
    }

    private static String fsck(Map<String, String> settings) {
        var out = new ByteArrayOutputStream();
        var arguments = new ArrayList<>(List.of("admin", "fsck", "--local", "--dry-run"));
        settings.forEach((name, value) -> arguments.addAll(List.of("--" + name, value)));
        var print = new PrintStream(out, true, StandardCharsets.UTF_8);
        Main.run(arguments, Map.of(), print, print);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String url(DebianPostgres server) {
        return "jdbc:postgresql://" + server.address() + "/sheaf";
    }

    private byte[] noise() {
        byte[] noise = new byte[PAGE];
        random.nextBytes(noise);
        return noise;
    }

    /// Replaces a page of a table or index while the server is stopped.
    ///
    /// @return what was there
    private static byte[] overwrite(DebianPostgres server, String relation, int page, byte[] bytes)
            throws IOException, SQLException {
        Path file;
        try (var connection = DriverManager.getConnection(url(server), "postgres", "unused");
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT pg_relation_filepath('" + relation + "')")) {
            rows.next();
            file = server.data().resolve(rows.getString(1));
        }
        server.stop();
        byte[] before = new byte[PAGE];
        try (var pages = new RandomAccessFile(file.toFile(), "rw")) {
            pages.seek((long) page * PAGE);
            pages.readFully(before);
            pages.seek((long) page * PAGE);
            pages.write(bytes);
        }
        server.start();
        return before;
    }
}
