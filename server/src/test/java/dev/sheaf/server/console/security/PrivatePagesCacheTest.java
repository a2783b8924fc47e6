package dev.sheaf.server.console.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.message.RouteMethod;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What somebody was shown stays in no cache: not in one that others share, nor in the browser of a machine that
/// others use.
class PrivatePagesCacheTest extends OnNode {
    private static final String EMAIL = "kept@acme.test";

    @Override
    void prepare() {
        app().person(EMAIL, "default", "owner");
        assertThat(app().push("acme/hidden", "1.0.0", "private", "# Hidden").status())
                .isEqualTo(201);
        assertThat(app().push("acme/shown", "1.0.0", "public", "# Shown").status())
                .isEqualTo(201);
    }

    private static String cached(HttpResponse<String> answer) {
        return answer.headers().firstValue("Cache-Control").orElse("");
    }

    private static String path(String pattern, String bundle) {
        return pattern.replace("{org_id}", "default")
                .replace("{namespace}", "acme")
                .replace("{bundle}", bundle)
                .replace("{version}", "1.0.0")
                .replace("{path...}", "SKILL.md")
                .replaceAll("\\{[^}]*}", "nothing");
    }

    /// Whether the service works, and the files of the client, are the same for all.
    private static boolean isAboutSomebody(String pattern) {
        return !pattern.startsWith("/-/") && !pattern.equals("/status") && !pattern.startsWith("/client/");
    }

    @Test
    void whatIsShownToWhoHasSignedInIsStoredNowhere() {
        try (var owner = PageClient.of(app(), EMAIL)) {
            for (var route : app().pages()) {
                if (route.method() == RouteMethod.GET && isAboutSomebody(route.pattern())) {
                    for (String bundle : List.of("hidden", "shown")) {
                        String path = path(route.pattern(), bundle);
                        var answer = owner.get(path);
                        assertThat(cached(answer))
                                .as(path + " " + answer.statusCode())
                                .contains(path.contains("/raw/") ? "private" : "no-store")
                                .doesNotContain("public");
                    }
                }
            }
        }
    }

    @Test
    void neitherAreAnswersToForms() {
        try (var owner = PageClient.of(app(), EMAIL)) {
            String token = owner.token("/account");
            for (var route : app().pages()) {
                if (route.method() == RouteMethod.POST && !route.pattern().equals("/logout")) {
                    String path = path(route.pattern(), "nothing").replace("default", "nothing");
                    var answer = owner.post(path, Map.of("_token", token));
                    assertThat(cached(answer))
                            .as(path + " " + answer.statusCode())
                            .contains("no-store");
                }
            }
        }
    }

    /// A page of something public is kept for all who have not signed in, and by their cookies apart from those who
    /// have.
    @Test
    void whatEverybodySeesIsNotGivenToWhoHasSignedInNorTheOtherWayRound() {
        try (var owner = PageClient.of(app(), EMAIL);
                var visitor = new PageClient(app().url())) {
            var mine = owner.get("/acme/shown");
            var theirs = visitor.get("/acme/shown");

            assertThat(mine.body()).contains(EMAIL);
            assertThat(theirs.body()).doesNotContain(EMAIL);
            assertThat(theirs.headers().firstValue("Vary"))
                    .hasValueSatisfying(vary -> assertThat(vary).contains("Cookie"));
            assertThat(mine.headers().firstValue("Vary"))
                    .hasValueSatisfying(vary -> assertThat(vary).contains("Cookie"));
            assertThat(visitor.get("/acme/shown").body()).doesNotContain(EMAIL);
        }
    }

    @Test
    void afterSigningOutThereIsNothingToGoBackTo() {
        try (var owner = PageClient.of(app(), EMAIL)) {
            var answer = owner.post("/logout", Map.of("_token", owner.token("/account")));

            assertThat(cached(answer)).contains("no-store");
            assertThat(owner.get("/acme/hidden").statusCode()).isEqualTo(404);
        }
    }
}
