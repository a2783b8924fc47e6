package dev.sheaf.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.TestApp;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Signing in and out, and what a session of a browser may be used for.
class SignInPagesTest extends OnConsole {
    @Test
    void leadsBackToThePageThatWantedASignIn() {
        app().person("back@acme.test", "default", "reader");
        try (var browser = browser()) {
            var asked = browser.open(at("/account"));
            assertThat(asked.place().getPath()).isEqualTo("/login");

            var shown =
                    browser.submit(asked, "/login", Map.of("email", "back@acme.test", "password", TestApp.PASSWORD));

            assertThat(shown.place().getPath()).isEqualTo("/account");
            assertThat(shown.html()).contains("back@acme.test");
        }
    }

    @Test
    void aWrongPasswordIsSaidAndTheAddressStays() {
        app().person("wrong@acme.test", "default", "reader");
        try (var browser = browser()) {
            var shown = browser.signIn(app().url(), "wrong@acme.test", "not the password");

            assertThat(shown.status()).isEqualTo(401);
            assertThat(shown.html())
                    .contains("value=\"wrong@acme.test\"", "password is wrong")
                    .doesNotContain("not the password");
        }
    }

    @Test
    void aWrongPasswordDoesNotForgetTheWay() {
        app().person("way@acme.test", "default", "reader");
        try (var browser = browser()) {
            var asked = browser.open(at("/account"));
            var wrong = browser.submit(asked, "/login", Map.of("email", "way@acme.test", "password", "not this one"));
            assertThat(wrong.status()).isEqualTo(401);

            var shown = browser.submit(wrong, "/login", Map.of("password", TestApp.PASSWORD));

            assertThat(shown.place().getPath()).isEqualTo("/account");
        }
    }

    @Test
    void signingInLeadsToNoOtherSite() {
        app().person("open@acme.test", "default", "reader");
        for (String next : new String[] {"//evil.test/", "https://evil.test/", "/\\evil.test", "javascript:alert(1)"}) {
            try (var browser = browser()) {
                var page = browser.open(at("/login"));
                var shown = browser.submit(
                        page, "/login", Map.of("email", "open@acme.test", "password", TestApp.PASSWORD, "next", next));

                assertThat(shown.place().toString()).isEqualTo(at("/"));
            }
        }
    }

    @Test
    void aFormWithoutItsTokenChangesNothing() {
        try (var browser = person("token@acme.test", "default", "reader")) {
            assertThat(browser.post(at("/logout"), "x=1").status()).isEqualTo(403);
            assertThat(browser.open(at("/account")).status()).isEqualTo(200);
        }
    }

    @Test
    void signingOutEndsTheSession() {
        try (var browser = person("out@acme.test", "default", "reader")) {
            var account = browser.open(at("/account"));

            browser.submit(account, "/logout", Map.of());

            assertThat(browser.has("sheaf_session")).isFalse();
            assertThat(browser.open(at("/account")).place().getPath()).isEqualTo("/login");
        }
    }

    @Test
    void theCookieOpensNoCallOfTheApi() {
        try (var browser = person("api@acme.test", "default", "owner")) {
            assertThat(browser.open(at("/v1/users/me")).status()).isEqualTo(401);
        }
    }
}
