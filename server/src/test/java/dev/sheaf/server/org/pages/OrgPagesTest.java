package dev.sheaf.server.org.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.TestApp;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Organizations: which one is in, what they hold, their names, making and leaving one.
class OrgPagesTest extends OnConsole {
    private static final String HOME = "/organizations/default";

    private Browser owner = new Browser();

    @Override
    public Map<String, String> settings() {
        return Map.of("self-service", "true");
    }

    @Override
    public void prepare() {
        owner.close();
        owner = person("org@acme.test", "default", "owner");
        app().secondOrganization("others");
    }

    @Test
    void listsOnesOwnWithTheRole() {
        assertThat(owner.open(at("/organizations")).html())
                .contains("href=\"/organizations/default\"", "<span class=\"tag\">owner</span>")
                .doesNotContain("others");
    }

    @Test
    void tellsWhoIsInNone() {
        app().person("alone@acme.test", null, null);
        try (var alone = browser()) {
            alone.signIn(app().url(), "alone@acme.test", TestApp.PASSWORD);

            assertThat(alone.open(at("/organizations")).html()).contains("You are not in an organization");
        }
    }

    @Test
    void showsWhatIsUsedOfTheQuota() {
        app().send(
                        "PATCH",
                        "/v1/admin/organizations/default/quota",
                        app().admin(),
                        "{\"bundles\": 1, \"bytes\": 1048576}");
        app().push("default/one", "1.0.0", "private", "text");

        assertThat(owner.open(at(HOME)).html())
                .contains("1 of 1", "of 1.0 MiB", "Nearly full", "<progress max=\"1\" value=\"1\"")
                .contains("href=\"/organizations/default/events\"");
    }

    @Test
    void renames() {
        var shown = owner.submit(owner.open(at(HOME)), "/rename\"", Map.of("name", "Acme <i>\u202eLtd"));

        assertThat(shown.html())
                .contains("The name is changed.", "<h1 class=\"u\">Acme &lt;i&gt;\u2039U+202E\u203aLtd</h1>")
                .doesNotContain("<i>");
        var wrong = owner.submit(shown, "/rename\"", Map.of("name", "x".repeat(2000)));
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.html()).contains("x".repeat(2000), "id=\"error-name\"");
    }

    @Test
    void readersSeeItAndMayLeave() {
        try (var reader = person("leaver@acme.test", "default", "reader")) {
            var home = reader.open(at(HOME));
            assertThat(home.html()).contains("You are</dt><dd>reader").doesNotContain("/rename\"");

            var shown = reader.submit(reader.follow(home, "/leave"), Map.of());

            assertThat(shown.html()).contains("You have left", "You are not in an organization");
            assertThat(reader.open(at(HOME)).status()).isEqualTo(404);
        }
    }

    @Test
    void theLastOwnerStays() {
        try (var other = person("founder@acme.test", "default", "reader")) {
            other.submit(other.open(at("/organizations/new")), Map.of("handle", "founded", "name", "Founded"));

            var shown = other.submit(other.open(at("/organizations/founded/leave")), Map.of());

            assertThat(shown.status()).isEqualTo(409);
            assertThat(shown.html()).contains("last owner");
        }
    }

    @Test
    void makesOneAndShowsItsFirstSecretOnce() {
        var made = owner.submit(owner.open(at("/organizations/new")), Map.of("handle", "gamma", "name", "Gamma"));

        assertThat(made.html()).containsPattern("<code class=\"u\">shf_[A-Za-z0-9]+</code>");
        assertThat(owner.open(at("/organizations/gamma")).html())
                .contains("<h1 class=\"u\">Gamma</h1>")
                .doesNotContain("shf_");
        var again = owner.submit(owner.open(at("/organizations/new")), Map.of("handle", "gamma", "name", "Other"));
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.html()).contains("value=\"Other\"", "gamma");
    }

    @Test
    void withoutItsTokenNothingIsChanged() {
        assertThat(owner.post(at(HOME + "/rename"), "name=forged").status()).isEqualTo(403);
        assertThat(owner.post(at("/organizations"), "handle=forged&name=forged").status())
                .isEqualTo(403);
    }

    @Test
    void everyLinkOfTheNavigationIsOfThisOrganization() {
        assertThat(owner.open(at(HOME)).html())
                .contains("href=\"/organizations/default\" aria-current=\"page\"")
                .contains("href=\"/organizations/default/audit\"", "href=\"/organizations/default/queues\"");
    }

    @Test
    void othersAreNotThere() {
        assertThat(owner.open(at("/organizations/others")).status()).isEqualTo(404);
        assertThat(owner.open(at("/organizations/others/leave")).status()).isEqualTo(404);
    }
}
