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
            var asked = browser.open(app.url() + "/setup");

            var made = browser.submit(asked, "/setup", with(app.admin()));

            assertThat(made.html()).contains("You own this registry now.");
            assertThat(browser.open(app.url() + "/account").html()).contains("ada@acme.test", "owner");
            assertThat(browser.open(app.url() + "/admin").status()).isEqualTo(200);
            assertThat(browser.open(app.url() + "/setup").status()).isEqualTo(404);
        }
    }

    @Test
    void aWrongKeyMakesNobody(@TempDir Path folder) {
        try (var app = TestApp.start(folder);
                var browser = new Browser()) {
            var asked = browser.open(app.url() + "/setup");

            var refused = browser.submit(asked, "/setup", with("shf_nothing"));

            assertThat(refused.status()).isEqualTo(401);
            assertThat(refused.html()).contains("value=\"ada@acme.test\"").doesNotContain(TestApp.PASSWORD);
            assertThat(browser.open(app.url() + "/setup").status()).isEqualTo(200);
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
