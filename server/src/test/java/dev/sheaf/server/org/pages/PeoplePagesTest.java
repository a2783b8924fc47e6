package dev.sheaf.server.org.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Members and invitations.
class PeoplePagesTest extends OnConsole {
    private static final String MEMBERS = "/organizations/default/members";
    private static final Pattern TOKEN = Pattern.compile("<code class=\"u\">(shi_[^<]+)</code>");

    private Browser owner = new Browser();

    @Override
    public void prepare() {
        owner.close();
        owner = person("people@acme.test", "default", "owner");
        app().secondOrganization("others");
    }

    private Browser.Page invite(String email, String role) {
        return owner.submit(owner.open(at(MEMBERS)), "/invitations\"", Map.of("email", email, "role", role));
    }

    private static String token(Browser.Page page) {
        var found = TOKEN.matcher(page.html());
        assertThat(found.find()).as(page.html()).isTrue();
        return found.group(1);
    }

    private int accept(String token) {
        return app().post(
                        "/v1/invitations:accept",
                        null,
                        "{\"token\": \"%s\", \"password\": \"%s\"}".formatted(token, "four words make sense"))
                .status();
    }

    /// Returns the part of the page with the invitations.
    private String invited() {
        String html = owner.open(at(MEMBERS)).html();
        return html.substring(html.indexOf("id=\"inv\""));
    }

    @Test
    void anInvitationIsOneLinkShownOnceAndLeavesTheListWhenItIsAccepted() {
        var shown = invite("new@acme.test", "publisher");

        assertThat(shown.html()).contains(app().url() + "/invitations#" + token(shown), "<b>publisher</b>");
        assertThat(invited()).contains("new@acme.test", "pending").doesNotContain(token(shown));
        assertThat(accept(token(shown))).isEqualTo(200);
        assertThat(invited()).doesNotContain("new@acme.test");
        assertThat(app().get("/v1/organizations/default/invitations?limit=100", app().admin())
                        .text())
                .as("the API lists ended ones too")
                .contains("new@acme.test");
    }

    @Test
    void aNewTokenEndsTheOneBefore() {
        String first = token(invite("again@acme.test", "reader"));
        var members = owner.open(at(MEMBERS));
        var resend = Pattern.compile("action=\"([^\"]+/resend)\"").matcher(members.html());
        assertThat(resend.find()).isTrue();

        String second = token(owner.submit(members, resend.group(1), Map.of()));

        assertThat(second).isNotEqualTo(first);
        assertThat(accept(first)).isEqualTo(404);
    }

    @Test
    void withdraws() {
        String token = token(invite("withdrawn@acme.test", "reader"));

        var shown = owner.submit(owner.follow(owner.open(at(MEMBERS)), "/withdraw"), Map.of());

        assertThat(shown.html()).contains("The invitation is withdrawn.");
        assertThat(accept(token)).isEqualTo(404);
    }

    @Test
    void aBadAddressComesBack() {
        var shown = invite("not an address", "admin");

        assertThat(shown.status()).isEqualTo(422);
        assertThat(shown.html()).contains("value=\"not an address\"", "id=\"error-email\"", "value=\"admin\" checked");
    }

    @Test
    void changesARoleAndRemoves() {
        try (var member = person("changing@acme.test", "default", "reader")) {
            String id = app()
                    .get("/v1/organizations/default/members?limit=100", app().admin())
                    .json()
                    .get("data")
                    .findValues("userId")
                    .stream()
                    .map(node -> node.stringValue())
                    .filter(user -> owner.open(at(MEMBERS + "/" + user)).html().contains("changing@acme.test"))
                    .findFirst()
                    .orElseThrow();

            var shown = owner.submit(owner.open(at(MEMBERS + "/" + id)), "/role\"", Map.of("role", "publisher"));
            assertThat(shown.html()).contains("is publisher now.");

            var asked = owner.open(at(MEMBERS + "/" + id + "/remove"));
            assertThat(asked.html()).contains("changing@acme.test is publisher of", "What breaks");
            owner.submit(asked, Map.of());

            assertThat(owner.open(at(MEMBERS + "/" + id)).status()).isEqualTo(404);
            assertThat(member.open(at("/organizations/default")).status()).isEqualTo(404);
        }
    }

    @Test
    void adminsMakeNoOwners() {
        try (var admin = person("admin@acme.test", "default", "admin")) {
            var shown = admin.submit(
                    admin.open(at(MEMBERS)), "/invitations\"", Map.of("email", "x@acme.test", "role", "owner"));

            assertThat(shown.status()).isIn(403, 422);
            assertThat(shown.html()).contains("only owners");
        }
    }

    @Test
    void readersAreRefusedAndOthersSeeNothing() {
        try (var reader = person("reads@acme.test", "default", "reader")) {
            assertThat(reader.open(at(MEMBERS)).status()).isEqualTo(403);
        }
        assertThat(owner.open(at("/organizations/others/members")).status()).isEqualTo(404);
    }

    @Test
    void withoutItsTokenNobodyIsInvited() {
        assertThat(owner.post(at("/organizations/default/invitations"), "email=forged@acme.test&role=owner")
                        .status())
                .isEqualTo(403);
        assertThat(owner.open(at(MEMBERS)).html()).doesNotContain("forged");
    }

    @Test
    void whoAcceptsWithANewAccountIsSignedIn() {
        String token = token(invite("fresh@acme.test", "reader"));
        try (var newcomer = browser()) {
            var joined = newcomer.submit(
                    newcomer.open(at("/invitations")),
                    "/invitations/accept\"",
                    Map.of("token", token, "fullName", "Fresh", "password", "four words make sense"));

            assertThat(joined.place().getPath()).isEqualTo("/organizations/default/welcome");
            assertThat(joined.html()).contains("You are a member of");
            assertThat(newcomer.open(at("/account")).html()).contains("fresh@acme.test");
        }
    }

    @Test
    void anAccountThatExistsKeepsItsPasswordAndIsNotSignedIn() {
        app().person("before@acme.test", null, null);
        String token = token(invite("before@acme.test", "reader"));
        try (var browser = browser()) {
            var sent = browser.submit(
                    browser.open(at("/invitations")),
                    "/invitations/accept\"",
                    Map.of("token", token, "password", "four words make sense"));

            assertThat(sent.place().getPath()).isEqualTo("/login");
            assertThat(sent.html()).contains("keeps its password").doesNotContain("You are a member");
            assertThat(invited()).contains("before@acme.test", "pending");
        }
    }
}
