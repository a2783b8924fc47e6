package dev.sheaf.server.auth;

import dev.sheaf.server.auth.secret.MasterSecret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.server.config.Exit;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.local.LocalAdmin;
import dev.sheaf.server.local.LocalUsers;
import dev.sheaf.server.testing.TestApp;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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

    /// They would hash passwords that no server knows, and go on with the audit log's chain under another key.
    @Test
    void whatIsDoneWithoutAServerTakesTheSameMasterKey() throws Exception {
        TestApp.start(folder, Map.of("master-key", OLD)).close();
        var nowhere = new PrintStream(OutputStream.nullOutputStream());
        var settings = List.of("--local", "--data-dir", folder.toString(), "--min-free-bytes", "0", "--master-key");
        for (String key : List.of(NEW, OLD)) {
            var user = arguments(List.of("create", "--email", "ada@acme.test"), settings, key);
            var task = arguments(List.of("audit-verify"), settings, key);
            ThrowingCallable addsUser =
                    () -> new LocalUsers(InputStream.nullInputStream(), nowhere, nowhere).run(user, Map.of());
            ThrowingCallable verifies = () -> new LocalAdmin(nowhere, nowhere).run(task, Map.of());
            for (var command : List.of(addsUser, verifies)) {
                if (key.equals(OLD)) {
                    assertThatCode(command).doesNotThrowAnyException();
                } else {
                    assertThatThrownBy(command)
                            .isInstanceOfSatisfying(
                                    StartException.class,
                                    e -> assertThat(e.exit()).isEqualTo(Exit.WRONG_MASTER_KEY));
                }
            }
        }
    }

    /// Else a backup of nothing would succeed, and so would the proof that nothing is missing from an empty audit
    /// log.
    @Test
    void nothingIsDoneWithoutAServerWhereThereIsNoInstallation() {
        var nowhere = new PrintStream(OutputStream.nullOutputStream());
        var settings = List.of("--local", "--min-free-bytes", "0", "--data-dir");
        var user = arguments(List.of("create", "--email", "ada@acme.test"), settings, folder.toString());
        var task = arguments(List.of("audit-verify"), settings, folder.toString());
        for (ThrowingCallable command : List.<ThrowingCallable>of(
                () -> new LocalUsers(InputStream.nullInputStream(), nowhere, nowhere).run(user, Map.of()),
                () -> new LocalAdmin(nowhere, nowhere).run(task, Map.of()))) {
            assertThatThrownBy(command)
                    .isInstanceOfSatisfying(
                            StartException.class, e -> assertThat(e.exit()).isEqualTo(Exit.DATA_DIR_UNUSABLE))
                    .hasMessageContaining("no installation");
        }
    }

    private static List<String> arguments(List<String> command, List<String> settings, String key) {
        return Stream.of(command, settings, List.of(key)).flatMap(List::stream).toList();
    }

    @Test
    void keysThatAreUsedOutliveTheMasterKey() {
        String idle;
        String token;
        TestApp first = TestApp.start(folder, Map.of("master-key", OLD));
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
