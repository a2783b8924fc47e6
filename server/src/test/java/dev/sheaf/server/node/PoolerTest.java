package dev.sheaf.server.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.db.PostgresDatabase;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.PgBouncer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two nodes that reach PostgreSQL through PgBouncer. In transaction mode LISTEN hears nothing, so changes are only
/// read.
@Timeout(120)
@Tag("programs")
class PoolerTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final PostgresDatabase.Settings direct = Databases.postgres();

    @Test
    void aRevokedKeyIsRefusedWithoutHints(@TempDir Path folder) throws Exception {
        try (var pooler = PgBouncer.before(direct, folder);
                var one = start(pooler, folder.resolve("one"), Map.of());
                var other = one.another(folder.resolve("other"))) {
            assertThat(other.get("/health/ready", null).status()).isEqualTo(200);
            var key = one.newKey("{\"name\": \"goes\"}");
            String secret = requireNonNull(key.key());
            assertThat(other.get("/v1/me", secret).status()).isEqualTo(200);
            one.push("acme/notes", "1.0.0", "public", "text");
            assertThat(other.get("/v1/namespaces/acme/bundles/notes:resolve", null)
                            .status())
                    .isEqualTo(200);

            one.send("DELETE", "/v1/organizations/default/api-keys/" + key.id(), one.admin(), null);
            one.send("PATCH", "/v1/namespaces/acme/bundles/notes", one.admin(), "{\"visibility\": \"private\"}");

            Eventually.within(SOON, () -> other.get("/v1/me", secret).status() == 401);
            Eventually.within(
                    SOON,
                    () -> other.get("/v1/namespaces/acme/bundles/notes:resolve", null)
                                    .status()
                            == 401);
        }
    }

    /// Each statement more often than PgBouncer lets the driver prepare it for.
    @Test
    void aNodeThatListensPastThePoolerIsLikeAnyOther(@TempDir Path folder) throws Exception {
        try (var pooler = PgBouncer.before(direct, folder);
                var one = start(pooler, folder.resolve("one"), Map.of("postgres-listen-url", direct.jdbcUrl()));
                var other = one.another(folder.resolve("other"))) {
            Eventually.within(SOON, () -> other.get("/health/ready", null).status() == 200);
            for (int i = 0; i < 12; i++) {
                var pushed = one.push("acme/notes", "1.0." + i, "public", "text " + i);
                assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
                assertThat(other.get("/v1/namespaces/acme/bundles/notes:resolve?version=1.0." + i, null)
                                .status())
                        .isEqualTo(200);
            }
            var key = one.newKey("{\"name\": \"goes\"}");
            String secret = requireNonNull(key.key());
            assertThat(other.get("/v1/me", secret).status()).isEqualTo(200);

            one.send("DELETE", "/v1/organizations/default/api-keys/" + key.id(), one.admin(), null);

            Eventually.within(SOON, () -> other.get("/v1/me", secret).status() == 401);
            assertThat(other.get("/health/ready", null).status()).isEqualTo(200);
        }
    }

    @Test
    void inSessionModeNoOtherAddressIsNeeded(@TempDir Path folder) throws Exception {
        try (var pooler = PgBouncer.before(direct, folder, "session");
                var one = start(pooler, folder.resolve("one"), Map.of("database-connections", "4"));
                var other = one.another(folder.resolve("other"))) {
            one.push("acme/notes", "1.0.0", "public", "text");
            assertThat(other.get("/v1/namespaces/acme/bundles/notes:resolve", null)
                            .status())
                    .isEqualTo(200);

            one.send("PATCH", "/v1/namespaces/acme/bundles/notes", one.admin(), "{\"visibility\": \"private\"}");

            Eventually.within(
                    SOON,
                    () -> other.get("/v1/namespaces/acme/bundles/notes:resolve", null)
                                    .status()
                            == 401);
            assertThat(other.get("/health/ready", null).status()).isEqualTo(200);
        }
    }

    private TestApp start(PgBouncer pooler, Path folder, Map<String, String> more) {
        var settings = new HashMap<>(Map.of(
                "master-key", MasterSecret.generate(),
                "database-url", pooler.jdbcUrl(),
                "database-user", direct.user(),
                "database-password", direct.password().expose()));
        settings.putAll(more);
        return TestApp.start(folder, settings);
    }
}
