package dev.sheaf.server.console.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A link to the sign-in page that leads to another site afterwards, where people think that they are still here.
class OpenRedirectTest extends OnNode {
    @Override
    void prepare() {
        app().person("led@acme.test", "default", "reader");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//evil.test",
                "///evil.test",
                "\\\\evil.test",
                "/\\evil.test",
                "\\/evil.test",
                "/\t/evil.test",
                "/\n/evil.test",
                "\t//evil.test",
                " //evil.test",
                "https:evil.test",
                "https:/evil.test",
                "https://evil.test",
                "HTTPS://evil.test/",
                "http:evil.test",
                "//evil.test/%2e%2e",
                "%2F%2Fevil.test",
                "/%2F%2Fevil.test",
                "/%5Cevil.test",
                "/%5c%5cevil.test",
                "/%09/evil.test",
                "/%0d%0aLocation:%20https://evil.test",
                "/\r\nLocation: https://evil.test",
                "/.//evil.test",
                "/..//evil.test",
                "/@evil.test",
                "//localhost@evil.test",
                "//127.0.0.1:1@evil.test",
                "javascript:alert(1)",
                "JaVaScRiPt:alert(1)",
                "data:text/html,x",
                "//evil\u3002test",
                "/\u202e//evil.test",
                "evil.test",
                "?next=https://evil.test",
                "#//evil.test"
            })
    void signingInLeadsToNoOtherSite(String next) {
        try (var browser = new PageClient(app().url())) {
            var answer = browser.signIn("led@acme.test", next);

            assertThat(answer.statusCode()).isEqualTo(303);
            assertLocal(
                    answer.headers().allValues("Location").toString(),
                    answer.headers().firstValue("Location").orElse(""));
            assertThat(answer.headers().allValues("Location")).hasSize(1);
        }
    }

    /// As browsers read it: a path of one slash, then no other slash or backslash.
    private void assertLocal(String as, String location) {
        assertThat(location).as(as).startsWith("/").doesNotStartWith("//").doesNotContain("\\");
        assertThat(location.chars()).as(as).allMatch(c -> c > ' ' && c < 127);
        assertThat(URI.create(app().url()).resolve(location).getHost()).isEqualTo("127.0.0.1");
    }

    @Test
    void thePageItselfHoldsNoOtherSite() {
        try (var browser = new PageClient(app().url())) {
            for (String next : new String[] {"//evil.test", "%2F%5Cevil.test", "https:evil.test"}) {
                assertThat(browser.get("/login?next=" + next).body())
                        .contains("name=\"next\" value=\"/\"")
                        .doesNotContain("href=\"//", "href=\"/\\", "href=\"https:evil");
            }
        }
    }

    @Test
    void aPageThatWantedASignInIsLedBackTo() {
        try (var browser = new PageClient(app().url())) {
            assertThat(browser.signIn("led@acme.test", "/account/sessions?cursor=a%2Fb")
                            .headers()
                            .firstValue("Location"))
                    .hasValue("/account/sessions?cursor=a%2Fb");
        }
    }

    /// What stands in the path of a page that needs a sign-in is led back to as it is.
    @Test
    void aPathThatLooksLikeAnotherSiteStaysAPath() {
        try (var browser = new PageClient(app().url())) {
            for (String path : new String[] {"//evil.test/settings", "/organizations//evil.test"}) {
                var asked = browser.get(path);
                asked.headers().firstValue("Location").ifPresent(place -> assertLocal(path, place));
            }
        }
    }
}
