package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Over plain http, others on the network can read a password: no page asks for one, and no form takes one.
class PlainHttpTest {
    @Test
    void noPageTakesAPassword(@TempDir Path folder) {
        try (var app = TestApp.start(folder, Map.of("public-url", "http://sheaf.example"));
                var browser = new Browser()) {
            app.person("plain@acme.test", "default", "reader");
            String code = app.form("/v1/oauth/device_authorization", null, "client_id", "x", "scope", "read")
                    .json()
                    .get("user_code")
                    .stringValue();
            for (String path : List.of("/login", "/invitations", "/device?user_code=" + code)) {
                assertThat(browser.open(app.url() + path).html())
                        .as(path)
                        .contains("over plain http")
                        .doesNotContain("name=\"password\"");
            }
            String fields = "&user_code=" + code + "&email=plain%40acme.test&password="
                    + TestApp.PASSWORD.replace(' ', '+') + "&token=shi_none";
            String token = "_token=" + token(browser.open(app.url() + "/account/theme"));
            for (String path : List.of("/login", "/device", "/invitations/accept", "/account/set-password")) {
                var refused = browser.post(app.url() + path, token + fields);

                assertThat(refused.status()).as(path).isEqualTo(403);
                assertThat(refused.html()).as(path).contains("plain http").doesNotContain("name=\"ticket\"");
            }
        }
    }

    private static String token(Browser.Page page) {
        return page.html().split("name=\"_token\" value=\"", 2)[1].split("\"", 2)[0];
    }
}
