package dev.sheaf.server.bundle.pages.withdraw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// A deleted bundle is found again by those who may restore it, and by nobody else.
class TrashPagesTest extends OnConsole {
    private static final String TRASH = "/organizations/default/trash";

    private Browser owner = new Browser();

    @Override
    public void prepare() {
        owner.close();
        owner = person("trash@acme.test", "default", "owner");
    }

    private void delete(String name, String body) {
        assertThat(app().push("acme/" + name, "1.0.0", "public", "x").status()).isEqualTo(201);
        app().send("DELETE", "/v1/namespaces/acme/bundles/" + name, app().admin(), body);
    }

    @Test
    void restoresFromTheList() {
        delete("listed", "{\"reason\": \"<i>old\\u202e\"}");
        var list = owner.open(at(TRASH));
        assertThat(list.html())
                .contains("acme/listed", "&lt;i&gt;old\u2039U+202E\u203a")
                .doesNotContain("<i>");

        var asked = owner.follow(list, "/acme/listed/restore");
        assertThat(asked.html()).contains("It comes back as it was", "Gone for ever");
        var restored = owner.submit(asked, "/acme/listed/restore\"", Map.of());

        assertThat(restored.html()).contains("The bundle is restored as it was.");
        assertThat(restored.place().getPath()).isEqualTo("/acme/listed");
        assertThat(owner.open(at("/acme/listed")).status()).isEqualTo(200);
        assertThat(owner.open(at(TRASH)).html()).doesNotContain("acme/listed");
    }

    @Test
    void theAddressOfADeletedBundleLeadsItsAdminsToIt() {
        delete("lost", "{}");

        for (String path : new String[] {"/acme/lost", "/acme/lost/tags", "/acme/lost/versions/1.0.0"}) {
            var missing = owner.open(at(path));
            assertThat(missing.status()).isEqualTo(404);
            assertThat(missing.html()).as(path).contains("href=\"/acme/lost/restore\"", "was deleted at");
        }
        assertThat(owner.open(at("/acme/never")).html()).doesNotContain("/restore", "was deleted");
    }

    /// A deleted bundle and one that never existed look the same.
    @Test
    void othersCannotTellADeletedBundleFromNone() {
        delete("vanished", "{}");
        app().secondOrganization("others");
        try (var reader = person("reads@acme.test", "default", "publisher");
                var stranger = person("far@others.test", "others", "owner");
                var nobody = browser()) {
            for (var visitor : new Browser[] {reader, stranger, nobody}) {
                var deleted = visitor.open(at("/acme/vanished"));
                var none = visitor.open(at("/acme/unheard"));
                assertThat(deleted.status()).isEqualTo(404);
                assertThat(plain(deleted, "vanished")).isEqualTo(plain(none, "unheard"));
            }
            for (var visitor : new Browser[] {reader, stranger}) {
                var deleted = visitor.open(at("/acme/vanished/restore"));
                var none = visitor.open(at("/acme/unheard/restore"));
                assertThat(plain(deleted, "vanished")).isEqualTo(plain(none, "unheard"));
            }
            assertThat(reader.open(at(TRASH)).status()).isEqualTo(403);
            assertThat(stranger.open(at(TRASH)).status()).isEqualTo(404);
            assertThat(stranger.open(at("/organizations/others/trash")).html())
                    .contains("The trash is empty")
                    .doesNotContain("vanished");
        }
    }

    /// Returns the page without what differs between two requests.
    private static String plain(Browser.Page page, String name) {
        return page.html()
                .replace(name, "NAME")
                .replaceAll("name=\"_token\" value=\"[^\"]*\"", "")
                .replaceAll("Request <code class=\"u\">[^<]*</code>", "");
    }

    @Test
    void aLivingBundleHasNothingToRestore() {
        app().push("acme/living", "1.0.0", "public", "x");

        assertThat(owner.open(at("/acme/living/restore")).html())
                .contains("is not deleted", "nothing to restore", "href=\"/acme/living\"")
                .doesNotContain("action=\"/acme/living/restore\"");
    }
}
