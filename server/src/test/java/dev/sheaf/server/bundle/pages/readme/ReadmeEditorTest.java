package dev.sheaf.server.bundle.pages.readme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Writing the README of a bundle by a page.
class ReadmeEditorTest extends OnConsole {
    private Browser owner = new Browser();

    @Override
    public void prepare() {
        owner = person("readme@acme.test", "default", "owner");
    }

    @AfterAll
    void close() {
        owner.close();
    }

    private JsonNode bundle(String slug) {
        return app().get("/v1/namespaces/acme/bundles/" + slug, app().admin()).json();
    }

    private Browser.Page save(Browser.Page page, String slug, String text) {
        return owner.submit(page, "/acme/" + slug + "/settings/readme", Map.of("readmeContent", text));
    }

    @Test
    void aReadmeIsWrittenChangedAndTakenAway() {
        app().push("acme/told", "1.0.0", "public", "x");

        var written = save(owner.follow(owner.open(at("/acme/told")), "/settings/readme"), "told", "# One\r\n\r\ntwo");

        assertThat(written.html()).contains("The README is saved.", "<h2>One</h2>", "Edit README");
        assertThat(bundle("told").get("readmeContent").stringValue()).isEqualTo("# One\n\ntwo");
        assertThat(bundle("told").get("readmeFormat").stringValue()).isEqualTo("markdown");
        var page = owner.open(at("/acme/told/settings/readme"));
        assertThat(page.html()).contains("# One\n\ntwo</textarea>", "sheaf edit acme/told --readme README.md");
        assertThat(save(page, "told", " ").html()).contains("The README is removed", "there is no README", "write one");
        assertThat(bundle("told").path("readmeContent").isString()).isFalse();
    }

    @Test
    void whatSomebodyElseWroteIsNotReplacedUnseen() {
        app().push("acme/both", "1.0.0", "public", "x");
        var page = owner.open(at("/acme/both/settings/readme"));
        app().send("PATCH", "/v1/namespaces/acme/bundles/both", app().admin(), "{\"readmeContent\": \"theirs\"}");

        var shown = save(page, "both", "<b>mine</b>");

        assertThat(shown.status()).isEqualTo(412);
        assertThat(shown.html()).contains("Somebody else changed the bundle", "&lt;b&gt;mine");
        assertThat(bundle("both").get("readmeContent").stringValue()).isEqualTo("theirs");
        assertThat(save(shown, "both", "mine").status()).isEqualTo(200);
        assertThat(bundle("both").get("readmeContent").stringValue()).isEqualTo("mine");
    }

    @Test
    void aLongReadmeIsNotEditedInAPage() {
        app().push("acme/long", "1.0.0", "public", "x");
        var page = owner.open(at("/acme/long/settings/readme"));
        assertThat(save(page, "long", "x".repeat(65_537)).html()).contains("has more than 64 KiB");
        String text = "y".repeat(70_000);
        app().send("PATCH", "/v1/namespaces/acme/bundles/long", app().admin(), "{\"readmeContent\": \"" + text + "\"}");

        var shown = owner.open(at("/acme/long/settings/readme"));

        assertThat(shown.html()).contains("too long to edit on a page").doesNotContain("<textarea", "yyyy");
    }

    @Test
    void charactersThatNobodySeesAreNamed() {
        app().push("acme/odd", "1.0.0", "public", "x");
        app().send("PATCH", "/v1/namespaces/acme/bundles/odd", app().admin(), "{\"readmeContent\": \"a\\nb\\u202ec\"}");

        assertThat(owner.open(at("/acme/odd/settings/readme")).html()).contains("line 2: U+202E");
    }

    @Test
    void onlyWhoMayWriteEditsIt() {
        app().push("acme/shut", "1.0.0", "public", "x");
        try (var reader = person("readme-reader@acme.test", "default", "reader")) {
            assertThat(reader.open(at("/acme/shut/settings/readme")).status()).isEqualTo(403);
            assertThat(reader.open(at("/acme/shut")).html()).doesNotContain("Edit README", "Write one");
        }
    }
}
