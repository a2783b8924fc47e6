package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The first run: the bootstrap key makes the first owner, once.
class SetupPagesTest {
    private static final Map<String, String> OWNER =
            Map.of("email", "ada@acme.test", "fullName", "Ada", "password", TestApp.PASSWORD);

    private static Map<String, String> with(String key) {
        var fields = new HashMap<>(OWNER);
        fields.put("key", key);
        return fields;
    }

    @Test
    void theFirstKeyMakesTheFirstOwnerWhoIsSignedIn(@TempDir Path folder) {
        try (var app = TestApp.start(folder);
                var browser = new Browser()) {
            assertThat(browser.open(app.url() + "/login").html()).contains("href=\"/setup\"");
            var asked = browser.follow(browser.open(app.url() + "/"), "/setup");

            var made = browser.submit(asked, "/setup", with(app.admin()));

            assertThat(made.html()).contains("You own this registry now.");
            assertThat(browser.open(app.url() + "/account").html()).contains("ada@acme.test", "owner");
            assertThat(browser.open(app.url() + "/admin").status()).isEqualTo(200);
            assertThat(browser.open(app.url() + "/setup").status()).isEqualTo(404);
            assertThat(browser.open(app.url() + "/").html()).doesNotContain("/setup");
        }
    }

    @Test
    void aWrongKeyMakesNobody(@TempDir Path folder) {
        try (var app = TestApp.start(folder);
                var browser = new Browser()) {
            var asked = browser.open(app.url() + "/setup");

            var refused = browser.submit(asked, "/setup", with("shf_nothing"));

            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.html())
                    .contains("value=\"ada@acme.test\"")
                    .doesNotContain(TestApp.PASSWORD, "shf_nothing");
            assertThat(browser.open(app.url() + "/setup").status()).isEqualTo(200);
        }
    }

    @Test
    void anErrorNamesItsFieldAndTheRightKeyStays(@TempDir Path folder) {
        try (var app = TestApp.start(folder);
                var browser = new Browser()) {
            var asked = browser.open(app.url() + "/setup");
            assertThat(asked.html()).contains("At least 12 characters.");
            var fields = with(app.admin());
            fields.put("password", "short");

            var refused = browser.submit(asked, "/setup", fields);

            assertThat(refused.status()).isEqualTo(422);
            assertThat(refused.html())
                    .contains(">Password must have 12 to 1000 characters", "value=\"" + app.admin() + "\"")
                    .doesNotContain("value=\"short\"");
            var made = browser.submit(refused, "/setup", Map.of("password", TestApp.PASSWORD));
            assertThat(made.html()).contains("You own this registry now.");
        }
    }

    @Test
    void aKeyThatOnlyReadsMakesNobody(@TempDir Path folder) {
        try (var app = TestApp.start(folder);
                var browser = new Browser()) {
            var asked = browser.open(app.url() + "/setup");

            var refused = browser.submit(asked, "/setup", with(app.key("reader", "read")));

            assertThat(refused.status()).isEqualTo(403);
            assertThat(browser.open(app.url() + "/setup").status()).isEqualTo(200);
        }
    }
}
