package dev.sheaf.server.org.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.TestApp;
import java.time.Duration;
import java.time.Instant;
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

    @Test
    void showsWhatNeedsAHandToThoseWhoCanMendIt() {
        app().post("/v1/organizations/default/api-keys", app().admin(), """
                {"name": "ends <i>soon", "expiresAt": "%s"}""".formatted(
                        Instant.now().plus(Duration.ofDays(3))));
        app().post("/v1/organizations/default/invitations", app().admin(), """
                {"email": "waited@acme.test", "role": "reader"}""");
        app().post("/v1/organizations/default/namespaces", app().admin(), "{\"handle\": \"given-away\"}");
        app().post("/v1/organizations/default/namespaces/given-away:transfer", app().admin(), """
                {"organization": "others"}""");

        assertThat(owner.open(at(HOME)).html())
                .contains("What needs a hand", "Key “ends &lt;i&gt;soon”", "Invitation of waited@acme.test")
                .contains("Transfer of the namespace given-away")
                .doesNotContain("ends <i>soon");
        try (var reader = person("looks@acme.test", "default", "reader")) {
            assertThat(reader.open(at(HOME)).html())
                    .doesNotContain(
                            "ends &lt;i&gt;soon", "waited@acme.test", "given-away waits", "All members", ">Trash<");
        }
    }

    @Test
    void showsItsBundlesAndWhoDidWhat() {
        app().push("default/shown", "1.2.0", "private", "text");
        app().push("default/removed", "1.0.0", "private", "text");
        app().send("DELETE", "/v1/namespaces/default/bundles/removed", app().admin(), "{}");
        app().get("/v1/namespaces/default/bundles/shown/versions/1.2.0:pull", app().admin());
        app().countDownloads();

        var home = owner.open(at(HOME)).html();

        assertThat(home)
                .contains("href=\"/default/shown\"", "<span class=\"mono\">1.2.0</span>", "Private")
                .contains("<b>1 pull</b> in 30 days", "The same numbers as a table")
                .containsPattern("<b class=\"u\">bootstrap</b> <span class=\"tag\">key</span> published")
                .contains("default/shown:1.2.0")
                .doesNotContain("href=\"/default/removed\"")
                .containsPattern("<b>[1-9]\\d*</b> deleted");
    }

    @Test
    void membersOfOthersSeeNothingOfIt() {
        app().push("default/secret-of-ours", "1.0.0", "private", "text");
        try (var other = person("other@others.test", "others", "owner")) {
            assertThat(other.open(at("/organizations/others")).html())
                    .contains("No bundles yet", "No pulls in 30 days")
                    .doesNotContain("secret-of-ours", "default/");
        }
    }
}
