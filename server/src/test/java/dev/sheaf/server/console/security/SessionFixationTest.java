package dev.sheaf.server.console.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/// An attacker puts a session of theirs, or a word that they know, into the browser of somebody who then signs in.
class SessionFixationTest extends OnNode {
    private static final String SESSION = "sheaf_session";

    @Override
    void prepare() {
        app().person("fixed@acme.test", "default", "owner");
        app().person("mallory@acme.test", "default", "reader");
    }

    private static String whose(PageClient client) {
        return client.get("/account").body().replaceAll("(?s).*<h1 class=\"u\">([^<]*)<.*", "$1");
    }

    @Test
    void signingInBeginsASessionOfItsOwn() {
        try (var browser = PageClient.of(app(), "fixed@acme.test")) {
            String first = browser.cookie(SESSION);
            browser.signIn("fixed@acme.test", "/");

            assertThat(browser.cookie(SESSION)).isNotEmpty().isNotEqualTo(first);
        }
    }

    @Test
    void theSessionOfAnAttackerIsNotKept() {
        try (var attacker = PageClient.of(app(), "mallory@acme.test");
                var victim = new PageClient(app().url())) {
            String planted = attacker.cookie(SESSION);
            victim.put(SESSION, planted);

            victim.signIn("fixed@acme.test", "/");

            assertThat(victim.cookie(SESSION)).isNotEqualTo(planted);
            assertThat(whose(victim)).isEqualTo("fixed@acme.test");
            assertThat(whose(attacker)).isEqualTo("mallory@acme.test");
        }
    }

    @Test
    void aCookieThatNobodyGaveOutBecomesNoSession() {
        try (var victim = new PageClient(app().url());
                var attacker = new PageClient(app().url())) {
            String planted = "shb_" + "a".repeat(60);
            victim.put(SESSION, planted);
            attacker.put(SESSION, planted);

            victim.signIn("fixed@acme.test", "/");

            assertThat(victim.cookie(SESSION)).isNotEqualTo(planted);
            assertThat(attacker.get("/account").statusCode()).isEqualTo(303);
        }
    }

    /// The word that forms are bound to before somebody signs in says nothing afterwards.
    @Test
    void theWordOfAVisitorOpensNothingAfterwards() {
        try (var victim = new PageClient(app().url());
                var attacker = new PageClient(app().url())) {
            String before = attacker.token("/login");
            victim.put("sheaf_visitor", attacker.cookie("sheaf_visitor"));

            victim.signIn("fixed@acme.test", "/");

            assertThat(attacker.get("/account").statusCode()).isEqualTo(303);
            assertThat(victim.post("/account/profile", Map.of("_token", before, "fullName", "Forged"))
                            .statusCode())
                    .isEqualTo(403);
        }
    }

    @Test
    void aSessionThatEndedIsNotTakenUpAgain() {
        try (var browser = PageClient.of(app(), "fixed@acme.test")) {
            String ended = browser.cookie(SESSION);
            browser.post("/logout", Map.of("_token", browser.token("/account")));
            assertThat(browser.cookie(SESSION)).isEmpty();

            browser.put(SESSION, ended);
            assertThat(browser.get("/account").statusCode()).isEqualTo(303);
            browser.signIn("fixed@acme.test", "/");

            assertThat(browser.cookie(SESSION)).isNotEqualTo(ended);
        }
    }

    @Test
    void noScriptReadsTheCookie() {
        try (var browser = new PageClient(app().url())) {
            var answer = browser.signIn("fixed@acme.test", "/");

            assertThat(answer.headers().allValues("Set-Cookie"))
                    .filteredOn(line -> line.startsWith(SESSION + "="))
                    .singleElement()
                    .asString()
                    .contains("HttpOnly", "SameSite=Lax", "Path=/");
        }
    }
}
