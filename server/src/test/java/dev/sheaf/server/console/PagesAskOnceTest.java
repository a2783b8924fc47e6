package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.Statements;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A page asks once for the names of all who did something on it, and not at all for readers who get no names.
class PagesAskOnceTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    private static long asked(TestApp app, Browser browser, String path) {
        return new Statements(app.database())
                .of(() -> assertThat(browser.open(app.url() + path).status()).isEqualTo(200)).stream()
                        .filter(one -> one.sql().contains("trusted_publisher"))
                        .count();
    }

    @Test
    void namesAreOneQuery(@TempDir Path folder) {
        try (var app = TestApp.start(Stack.POSTGRES, folder);
                var member = new Browser();
                var nobody = new Browser()) {
            app.push("acme/named", "1.0.0", "public", "# One");
            app.push("acme/named", "1.1.0", "public", "# Two");
            app.person("ada@acme.test", "default", "owner");
            member.signIn(app.url(), "ada@acme.test", TestApp.PASSWORD);

            for (String path : List.of("/acme/named", "/acme/named/versions", "/acme/named/tags/latest")) {
                assertThat(asked(app, member, path)).as(path).isEqualTo(1);
                assertThat(asked(app, nobody, path)).as(path).isZero();
            }
            Eventually.within(SOON, () -> asked(app, member, "/acme/named") == 0); // kept, but for seconds only
        }
    }

    /// Pages that refresh themselves every few seconds must not cost the database much.
    @Test
    void aRefreshTakesFewStatements(@TempDir Path folder) {
        String queues = "/v1/organizations/default/queues";
        try (var app = TestApp.start(Stack.POSTGRES, folder);
                var member = new Browser()) {
            app.post(queues, app.admin(), "{\"name\": \"q\", \"slug\": \"q\"}");
            for (int i = 0; i < 20; i++) {
                app.post(queues + "/q/jobs", app.admin(), "{}");
            }
            app.person("bea@acme.test", "default", "owner");
            member.signIn(app.url(), "bea@acme.test", TestApp.PASSWORD);

            for (var page : Map.of("/organizations/default/queues/q", 16, "/organizations/default/events", 5)
                    .entrySet()) {
                String url = app.url() + page.getKey();
                member.open(url);
                var asked = new Statements(app.database()).of(() -> member.refresh(url));

                assertThat(asked).as(url).hasSizeLessThanOrEqualTo(page.getValue());
            }
        }
    }
}
