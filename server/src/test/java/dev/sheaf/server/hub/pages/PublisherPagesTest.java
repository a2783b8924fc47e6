package dev.sheaf.server.hub.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import org.junit.jupiter.api.Test;

/// Publishers, and searching.
class PublisherPagesTest extends OnConsole {
    @Override
    public void prepare() {
        app().push("acme/open", "1.0.0", "public", "# Open");
        app().push("acme/hidden", "1.0.0", "private", "# Hidden");
        app().push("quiet/hidden", "1.0.0", "private", "# Quiet");
    }

    @Test
    void everybodySeesWhatIsPublicMembersSeeTheRest() {
        try (var anybody = browser();
                var member = person("publisher@acme.test", "default", "reader")) {
            assertThat(anybody.open(at("/acme")).html())
                    .contains("href=\"/acme/open\"", "/v1/hub/publishers/acme/feed.atom")
                    .doesNotContain("/acme/hidden");
            assertThat(member.open(at("/acme")).html())
                    .contains("href=\"/acme/open\"", "href=\"/acme/hidden\"", "Private");
        }
    }

    @Test
    void aPublisherOfNothingPublicLooksLikeNone() {
        try (var anybody = browser()) {
            assertThat(anybody.open(at("/quiet")).status()).isEqualTo(404);
            assertThat(anybody.open(at("/nobody")).status()).isEqualTo(404);
        }
    }

    @Test
    void theListChangesWhileOneTypesAndByTheFormToo() {
        try (var anybody = browser()) {
            assertThat(anybody.open(at("/")).html()).contains("hx-get=\"/\"", "id=\"found\"");
            assertThat(anybody.open(at("/acme")).html()).doesNotContain("hx-get");
            assertThat(anybody.open(at("/?q=open")).html()).contains("1 bundle found", "href=\"/acme/open\"");
            assertThat(anybody.open(at("/?q=%3Cscript%3Ealert(1)")).html()).doesNotContain("<script>alert");
        }
    }
}
