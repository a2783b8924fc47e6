package dev.sheaf.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.server.auth.MasterSecret;
import dev.sheaf.server.testing.Databases;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The master key of an installation is replaced (docs/keys.md).
class MasterKeyTest {
    private static final String OLD = MasterSecret.generate();
    private static final String NEW = MasterSecret.generate();

    @TempDir
    private Path folder;

    private Map<String, String> settings(Map<String, String> others) {
        var settings = new HashMap<>(Map.of("port", "0", "data-dir", folder.toString(), "min-free-bytes", "0"));
        settings.putAll(others);
        return settings;
    }

    @Test
    void keysThatAreUsedOutliveTheMasterKey() {
        String idle;
        String token;
        TestApp first = TestApp.start(Databases.Kind.SQLITE, folder, InstantSource.system(), Map.of("master-key", OLD));
        try (first) {
            idle = first.key("idle", "read");
            token = first.get("/v2/token", first.admin()).json().get("token").stringValue();
        }
        assertThatThrownBy(() -> first.startOn(settings(Map.of("master-key", NEW))))
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.exit()).isEqualTo(Exit.WRONG_MASTER_KEY));

        try (var both = first.startOn(settings(Map.of("master-key", NEW, "previous-master-keys", OLD)))) {
            assertThat(both.get("/v1/me", both.admin()).status()).isEqualTo(200);
            assertThat(both.get("/v2/", token).status()).as("tokens end").isEqualTo(401);
        }

        try (var after = first.startOn(settings(Map.of("master-key", NEW)))) {
            assertThat(after.get("/v1/me", after.admin()).status()).isEqualTo(200);
            assertThat(after.get("/v1/me", idle).status()).isEqualTo(401);
        }
        assertThatThrownBy(() -> first.startOn(settings(Map.of("master-key", OLD))))
                .isInstanceOf(StartException.class);
    }
}
