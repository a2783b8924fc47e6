package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.Statements;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// How often a publish goes to PostgreSQL and back, and with how many statements: that is most of what it costs there.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class PublishTripsTest {
    private static final int TRIPS = 8;
    private static final int STATEMENTS = 20;

    @SuppressWarnings("NullAway.Init") // set by JUnit
    private TestApp app;

    @BeforeAll
    void start(@TempDir Path folder) {
        app = TestApp.start(Stack.POSTGRES, folder);
        push("warm", "1.0.0", "private");
    }

    @AfterAll
    void stop() {
        app.close();
    }

    private List<Statements.Statement> push(String slug, String version, String visibility) {
        return new Statements(app.database()).of(() -> {
            var reply = app.send("POST", "/v1/namespaces/trips/bundles/" + slug + ":push", app.admin(), """
                    {"name": "Test", "visibility": "%s", "version": "%s", "manifest": [
                     {"logicalPath": "notes.md", "assetType": "context", "contentText": "Notes"},
                     {"logicalPath": "news.md", "assetType": "context", "contentText": "News of %s %s"}]}""".formatted(
                            visibility, version, slug, version));
            assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        });
    }

    private static void assertFew(List<Statements.Statement> trips) {
        String all =
                trips.stream().map(trip -> trip.sql() + "\n  " + trip.values()).collect(Collectors.joining("\n--\n"));
        assertThat(trips).as(all).hasSizeLessThanOrEqualTo(TRIPS);
        assertThat(trips.stream()
                        .flatMap(trip -> List.of(trip.sql().split(";\n")).stream())
                        .filter(sql -> !sql.equals("COMMIT")))
                .as(all)
                .hasSizeLessThanOrEqualTo(STATEMENTS);
    }

    @Test
    void aSecondPushOfAPrivateBundle() {
        push("hidden", "1.0.0", "private");

        assertFew(push("hidden", "1.1.0", "private"));
    }

    @Test
    void aSecondPushOfAPublicBundle() {
        push("shown", "1.0.0", "public");

        assertFew(push("shown", "1.1.0", "public"));
    }

    @Test
    void aThirdPushOfAPublicBundle() {
        push("again", "1.0.0", "public");
        push("again", "1.1.0", "public");

        assertFew(push("again", "1.2.0", "public"));
    }
}
