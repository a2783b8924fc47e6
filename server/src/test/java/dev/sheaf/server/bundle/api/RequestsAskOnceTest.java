package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.Statements;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// A request makes no statement of SQL twice with the same values: what one part has looked up, the next is given.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RequestsAskOnceTest {

    @SuppressWarnings("NullAway.Init") // set by JUnit
    private TestApp app;

    @BeforeAll
    void start(@TempDir Path folder) {
        app = TestApp.start(Stack.POSTGRES, folder);
    }

    @AfterAll
    void stop() {
        app.close();
    }

    private List<Statements.Statement> traced(int status, String method, String path, String body) {
        return new Statements(app.database()).of(() -> {
            var reply = app.send(method, path, app.admin(), body.isEmpty() ? null : body);
            assertThat(reply.status()).as(reply.text()).isEqualTo(status);
        });
    }

    private List<Statements.Statement> push(int status, String slug, String version, String visibility) {
        String of = slug + " " + version;
        return traced(status, "POST", "/v1/namespaces/once/bundles/" + slug + ":push", """
                {"name": "Test", "visibility": "%s", "version": "%s", "manifest": [
                 {"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "# Skill of %s"},
                 {"logicalPath": "notes.md", "assetType": "context", "contentText": "Notes of %s"},
                 {"logicalPath": "large.txt", "assetType": "context", "contentText": "%s"}]}""".formatted(
                        visibility, version, of, of, (of + " ").repeat(10_000)));
    }

    private static void assertNoneTwice(List<Statements.Statement> statements) {
        assertThat(statements).isNotEmpty();
        assertThat(Statements.repeated(statements)).isEmpty();
    }

    @Test
    void aFirstPushOfAPublicBundle() {
        assertNoneTwice(push(201, "first", "1.0.0", "public"));
    }

    @Test
    void aSecondPushOfAPublicBundle() {
        push(201, "second", "1.0.0", "public");

        assertNoneTwice(push(201, "second", "1.1.0", "public"));
    }

    @Test
    void aFirstPushOfAPrivateBundle() {
        assertNoneTwice(push(201, "hidden", "1.0.0", "private"));
    }

    @Test
    void aSecondPushOfAPrivateBundle() {
        push(201, "hidden-again", "1.0.0", "private");

        assertNoneTwice(push(201, "hidden-again", "1.1.0", "private"));
    }

    @Test
    void aPushOfTheSameVersionAgain() {
        push(201, "same", "1.0.0", "public");

        assertNoneTwice(push(200, "same", "1.0.0", "public"));
    }

    @Test
    void resolvingWhatIsKnownAsksNothing() {
        push(201, "known", "1.0.0", "public");
        String path = "/v1/namespaces/once/bundles/known:resolve?version=%5E1";

        // its own push is told to every node, to this one too, and drops what it remembers
        Eventually.within(
                Duration.ofSeconds(30), () -> traced(200, "GET", path, "").isEmpty());
    }

    /// Reads of organizations, whose route finds whom `{org_id}` means.
    @Test
    void whatOrganizationsAreAskedFor() {
        var asked = new ArrayList<String>();
        var wrong = new LinkedHashMap<String, Object>();
        for (Route route : app.routes()) {
            String path = route.pattern().replace("{org_id}", "default");
            if (route.method() == RouteMethod.GET && !path.equals(route.pattern()) && !path.contains("{")) {
                asked.add(path);
                var repeated = Statements.repeated(traced(200, "GET", path, ""));
                if (!repeated.isEmpty()) {
                    wrong.put(path, repeated);
                }
            }
        }

        assertThat(asked).contains("/v1/organizations/default/api-keys", "/v1/organizations/default/members");
        assertThat(wrong).isEmpty();
    }
}
