package dev.sheaf.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.key.KeyFormat;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.Statements;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is refused asks the database the same, whatever there is to hide: so it takes as long. `make measure` times it
/// (`VisibilityTimingTest`, `KeyTimesTest`).
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VisibilityStepsTest {
    private static final Pattern KEPT_IN_MEMORY = Pattern.compile("FROM (api_key|signing_key)\\b");

    @SuppressWarnings("NullAway.Init") // set by JUnit
    private TestApp app;

    @SuppressWarnings("NullAway.Init")
    private String stranger;

    @BeforeAll
    void start(@TempDir Path folder) {
        app = TestApp.start(Stack.POSTGRES, folder);
        stranger = app.secondOrganization("other");
        app.push("timed/secret", "1.0.0", "private", "# Secret");
    }

    @AfterAll
    void stop() {
        app.close();
    }

    private static List<String> requests() {
        return List.copyOf(VisibilityTimingTest.PATHS.values());
    }

    private int send(String request, String name, String key) {
        var parts = request.replace("NAME", name).split(" ");
        String body = List.of("PATCH", "POST").contains(parts[0]) ? "{}" : null;
        return app.send(parts[0], parts[1], key, body).status();
    }

    /// The statements of a request, without their values, and without what is asked now and then whoever comes.
    private List<String> asked(String request, String name, String key) {
        var statements = new Statements(app.database())
                .of(() -> assertThat(send(request, name, key)).isIn(200, 401, 404));
        return statements.stream()
                .map(Statements.Statement::sql)
                .filter(sql -> !sql.contains("FROM pepper "))
                .toList();
    }

    /// News of a change (the start made several) may come at any time and make the node forget keys that it knew.
    private List<String> askedWithKnownKeys(String request, String name) {
        var last = new AtomicReference<List<String>>(List.of());
        Eventually.within(Duration.ofSeconds(10), () -> {
            last.set(asked(request, name, stranger));
            return last.get().stream()
                    .noneMatch(sql -> KEPT_IN_MEMORY.matcher(sql).find());
        });
        return last.get();
    }

    @ParameterizedTest
    @MethodSource("requests")
    void aHiddenBundleIsAskedForAsOneThatDoesNotExist(String request) {
        assertThat(askedWithKnownKeys(request, "secret")).isEqualTo(askedWithKnownKeys(request, "nobody"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"revoked_at", "disabled_at", "expires_at"})
    void aKeyThatIsNoGoodIsLookedUpAtFirstAsOneThatDoesNotExist(String column) {
        String key = app.key("no good: " + column, "read");
        app.database()
                .write(tx -> tx.handle()
                        .createUpdate("UPDATE api_key SET " + column + " = 2 WHERE name LIKE '%' || :column")
                        .bind("column", column)
                        .execute());
        String request = "GET /v1/organizations/default/api-keys";

        assertThat(asked(request, "", key))
                .isEqualTo(asked(request, "", KeyFormat.generate().expose()));
    }
}
