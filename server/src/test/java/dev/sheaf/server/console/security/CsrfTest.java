package dev.sheaf.server.console.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.message.RouteMethod;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/// Cross-site request forgery: a page of another site has the browser of somebody who has signed in send a form.
class CsrfTest extends OnNode {
    private static final String PROFILE = "/account/profile";
    private static final String EVIL = "https://evil.test";

    private PageClient victim = new PageClient("http://localhost");

    @Override
    void prepare() {
        victim.close();
        app().person("victim@acme.test", "default", "owner");
        app().person("attacker@acme.test", "default", "owner");
        victim = PageClient.of(app(), "victim@acme.test");
    }

    @AfterAll
    void leave() {
        victim.close();
    }

    private int renamed(String token, String... headers) {
        return victim.post(PROFILE, Map.of("_token", token, "fullName", "Forged"), headers)
                .statusCode();
    }

    private String name() {
        return app().get("/v1/admin/users/victim@acme.test", app().admin())
                .json()
                .path("fullName")
                .asString("");
    }

    @Test
    void aFormWithItsOwnTokenIsTaken() {
        assertThat(victim.post(PROFILE, Map.of("_token", victim.token("/account"), "fullName", "Own"))
                        .statusCode())
                .isEqualTo(303);
        assertThat(name()).isEqualTo("Own");
    }

    @Test
    void aMissingTokenIsRefused() {
        assertThat(victim.post(PROFILE, Map.of("fullName", "Forged")).statusCode())
                .isEqualTo(403);
        for (String token : List.of("", "0", "null", "_token", "a".repeat(5000), "\u0000", "=", "%")) {
            assertThat(renamed(token)).as(token).isEqualTo(403);
        }
        assertThat(name()).isNotEqualTo("Forged");
    }

    @Test
    void theTokenOfSomebodyElseIsRefused() {
        try (var attacker = PageClient.of(app(), "attacker@acme.test")) {
            assertThat(renamed(attacker.token("/account"))).isEqualTo(403);
        }
        assertThat(name()).isNotEqualTo("Forged");
    }

    @Test
    void theTokenOfAnotherSessionOfTheSamePersonIsRefused() {
        try (var other = PageClient.of(app(), "victim@acme.test")) {
            assertThat(renamed(other.token("/account"))).isEqualTo(403);
        }
        assertThat(name()).isNotEqualTo("Forged");
    }

    @Test
    void theTokenOfWhoHasNotSignedInIsRefused() {
        try (var visitor = new PageClient(app().url())) {
            assertThat(renamed(visitor.token("/login"))).isEqualTo(403);
        }
        assertThat(name()).isNotEqualTo("Forged");
    }

    @Test
    void theTokenOfASessionThatHasEndedIsRefused() {
        try (var before = PageClient.of(app(), "victim@acme.test")) {
            String token = before.token("/account");
            before.post("/logout", Map.of("_token", token));

            assertThat(before.post(PROFILE, Map.of("_token", token, "fullName", "Forged"))
                            .statusCode())
                    .isEqualTo(401);
        }
        assertThat(name()).isNotEqualTo("Forged");
    }

    /// A token that leaked is of no use to another site.
    @Test
    void aPageOfAnotherOriginIsRefusedEvenWithTheToken() {
        String token = victim.token("/account");

        assertThat(renamed(token, "Origin", EVIL)).isEqualTo(403);
        assertThat(renamed(token, "Origin", "null")).isEqualTo(403);
        assertThat(renamed(token, "Origin", app().url() + ".evil.test")).isEqualTo(403);
        for (String site : List.of("cross-site", "same-site")) {
            assertThat(renamed(token, "Sec-Fetch-Site", site)).as(site).isEqualTo(403);
        }
        assertThat(name()).isNotEqualTo("Forged");
    }

    /// Signing somebody in as the attacker would have them type secrets into the attacker's account.
    @Test
    void nobodyIsSignedInByAnotherSite() {
        try (var browser = new PageClient(app().url())) {
            String token = browser.token("/login");
            var form = Map.of("_token", token, "email", "attacker@acme.test", "password", "a password for tests");

            assertThat(browser.post("/login", form, "Origin", EVIL).statusCode())
                    .isEqualTo(403);
            try (var other = new PageClient(app().url())) {
                assertThat(other.post("/login", form).statusCode()).isEqualTo(403);
                assertThat(other.cookie("sheaf_session")).isEmpty();
            }
        }
    }

    /// Links and images send GET, and nothing checks those.
    @Test
    void noFormIsTakenByGet() {
        for (var route : app().pages()) {
            if (route.method() == RouteMethod.POST) {
                String path = route.pattern().replaceAll("\\{[^}]*}", "default");
                var shown = victim.get(path + "?_token=" + victim.token("/account") + "&fullName=Forged&theme=dark");
                assertThat(shown.statusCode()).as(path).isNotEqualTo(303);
            }
        }
        assertThat(victim.get("/account").statusCode()).isEqualTo(200);
        assertThat(name()).isNotEqualTo("Forged");
    }
}
