package dev.sheaf.server.org.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Namespaces, and giving them away.
class NamespacePagesTest extends OnConsole {
    private static final String ALL = "/organizations/default/namespaces";

    private Browser owner = new Browser();
    private Browser other = new Browser();

    @Override
    public void prepare() {
        owner.close();
        other.close();
        owner = person("spaces@acme.test", "default", "owner");
        app().secondOrganization("others");
        other = person("spaces@others.test", "others", "owner");
    }

    private void claim(String handle) {
        owner.submit(owner.open(at(ALL)), "/namespaces\"", Map.of("handle", handle, "displayName", "Name"));
    }

    private Browser.Page offer(String namespace, String to) {
        return owner.submit(owner.open(at(ALL + "/" + namespace)), "/transfer\"", Map.of("organization", to));
    }

    @Test
    void claimsOne() {
        claim("claimed");

        assertThat(owner.open(at(ALL)).html()).contains("<b>claimed</b>");
    }

    @Test
    void aReservedNameIsToldBesideTheField() {
        var shown = owner.submit(owner.open(at(ALL)), "/namespaces\"", Map.of("handle", "v1", "displayName", "\"><b>"));

        assertThat(shown.status()).isEqualTo(422);
        assertThat(shown.html())
                .contains("value=\"v1\"", "value=\"&#34;>&lt;b>\"")
                .containsPattern("(?s)id=\"error-handle\">.*?reserved");
    }

    @Test
    void servesTheIndexOfSkills() {
        claim("indexed");

        var shown = owner.submit(owner.open(at(ALL + "/indexed")), "/edit\"", Map.of("skillsIndex", "on"));

        assertThat(shown.html()).contains("Skills index</dt><dd>served");
    }

    @Test
    void nothingMovesBeforeTheOtherAccepts() {
        claim("given");
        assertThat(offer("given", "others").html()).contains("It moves when");
        assertThat(other.open(at("/organizations/others/namespaces/given")).status())
                .isEqualTo(404);

        var asked = other.follow(other.open(at("/organizations/others/namespaces")), "/transfers/");
        assertThat(asked.html()).contains("given is given by default");
        other.submit(asked, "/accept\"", Map.of());

        assertThat(other.open(at("/organizations/others/namespaces/given")).status())
                .isEqualTo(200);
        assertThat(owner.open(at(ALL + "/given")).status()).isEqualTo(404);
    }

    @Test
    void offersAreCancelledAndDeclined() {
        claim("kept");
        offer("kept", "others");
        var mine = owner.follow(owner.open(at(ALL)), "/transfers/");
        assertThat(owner.submit(mine, "/cancel\"", Map.of()).html()).contains("The offer is cancelled.");

        offer("kept", "others");
        var theirs = other.follow(other.open(at("/organizations/others/namespaces")), "/transfers/");
        assertThat(other.submit(theirs, "/decline\"", Map.of()).html()).contains("The offer is declined.");
    }

    @Test
    void anUnknownReceiverComesBack() {
        claim("stays");

        var shown = offer("stays", "nobody-there");

        assertThat(shown.status()).isEqualTo(422);
        assertThat(shown.html()).contains("value=\"nobody-there\"", "id=\"error-organization\"");
    }

    @Test
    void readersSeeThemWithoutForms() {
        try (var reader = person("spaces-reader@acme.test", "default", "reader")) {
            var page = reader.open(at(ALL));

            assertThat(page.status()).isEqualTo(200);
            assertThat(page.html()).doesNotContain("method=\"post\"");
        }
    }

    @Test
    void withoutItsTokenNothingIsClaimed() {
        assertThat(owner.post(at(ALL), "handle=forged").status()).isEqualTo(403);
        assertThat(owner.open(at(ALL + "/forged")).status()).isEqualTo(404);
    }
}
