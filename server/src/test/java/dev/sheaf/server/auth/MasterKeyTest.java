package dev.sheaf.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.local.LocalAdmin;
import dev.sheaf.server.local.LocalUsers;
import dev.sheaf.server.testing.EveryStack;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/// The master key of an installation is replaced (docs/keys.md).
@EveryStack
class MasterKeyTest {
    private static final String OLD = MasterSecret.generate();
    private static final String NEW = MasterSecret.generate();

    @Parameter
    private Stack stack;

    @TempDir
    private Path folder;

    private TestApp start() {
        return TestApp.start(stack, folder, InstantSource.system(), Map.of("master-key", OLD));
    }

    /// They would hash passwords that no server knows, and go on with the audit log's chain under another key.
    @Test
    void whatIsDoneWithoutAServerTakesTheSameMasterKey() throws Exception {
        var app = start();
        app.close();
        for (String key : List.of(NEW, OLD)) {
            for (var command : commands(app.with(Map.of("master-key", key)))) {
                if (key.equals(OLD)) {
                    assertThatCode(command).doesNotThrowAnyException();
                } else {
                    assertThatThrownBy(command)
                            .isInstanceOfSatisfying(
                                    StartException.class,
                                    e -> assertThat(e.exit()).isEqualTo(ServerExit.WRONG_MASTER_KEY));
                }
            }
        }
    }

    /// Else a backup of nothing would succeed, and so would the proof that nothing is missing from an empty audit
    /// log.
    @Test
    void nothingIsDoneWithoutAServerWhereThereIsNoInstallation() {
        for (var command : commands(TestApp.settings(stack, folder, Map.of()))) {
            assertThatThrownBy(command)
                    .isInstanceOfSatisfying(
                            StartException.class, e -> assertThat(e.exit()).isEqualTo(ServerExit.DATA_DIR_UNUSABLE))
                    .hasMessageContaining("no installation");
        }
    }

    /// One that writes and one that reads.
    private static List<ThrowingCallable> commands(Map<String, String> settings) {
        var nowhere = new PrintStream(OutputStream.nullOutputStream());
        var user = new ArrayList<>(List.of("create", "--email", "ada@acme.test", "--local"));
        user.addAll(TestApp.arguments(settings));
        var task = new ArrayList<>(List.of("audit-verify", "--local"));
        task.addAll(TestApp.arguments(settings));
        return List.of(
                () -> new LocalUsers(InputStream.nullInputStream(), nowhere, nowhere).run(user, Map.of()),
                () -> new LocalAdmin(nowhere, nowhere).run(task, Map.of()));
    }

    @Test
    void keysThatAreUsedOutliveTheMasterKey() {
        String idle;
        String token;
        TestApp first = start();
        try (first) {
            idle = first.key("idle", "read");
            token = first.get("/v2/token", first.admin()).json().get("token").stringValue();
        }
        assertThatThrownBy(() -> first.startOn(first.with(Map.of("master-key", NEW))))
                .isInstanceOfSatisfying(
                        StartException.class, e -> assertThat(e.exit()).isEqualTo(ServerExit.WRONG_MASTER_KEY));

        try (var both = first.startOn(first.with(Map.of("master-key", NEW, "previous-master-keys", OLD)))) {
            assertThat(both.get("/v1/me", both.admin()).status()).isEqualTo(200);
            assertThat(both.get("/v2/", token).status()).as("tokens end").isEqualTo(401);
        }

        try (var after = first.startOn(first.with(Map.of("master-key", NEW)))) {
            assertThat(after.get("/v1/me", after.admin()).status()).isEqualTo(200);
            assertThat(after.get("/v1/me", idle).status()).isEqualTo(401);
        }
        assertThatThrownBy(() -> first.startOn(first.with(Map.of("master-key", OLD))))
                .isInstanceOf(StartException.class);
    }
}
