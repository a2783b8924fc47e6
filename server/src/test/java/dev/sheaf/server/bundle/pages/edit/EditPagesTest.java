package dev.sheaf.server.bundle.pages.edit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Texts, visibility, advice, versions and deletion of a bundle, by pages.
class EditPagesTest extends OnConsole {
    private static final String SETTINGS = "/acme/notes/settings";
    private static final String BUNDLE = "/v1/namespaces/acme/bundles/notes";

    private Browser owner = new Browser();

    @Override
    public void prepare() {
        owner = person("owner@acme.test", "default", "owner");
        app().push("acme/notes", "1.0.0", "public", "first");
        app().push("acme/notes", "1.1.0", "public", "second");
    }

    private Browser.Page send(String page, String action, Map<String, String> fields) {
        return owner.submit(owner.open(at(page)), "action=\"" + action + "\"", fields);
    }

    private String bundle() {
        return app().get(BUNDLE, app().admin()).text();
    }

    @Test
    void textsAreSavedAndShownEscaped() {
        String hostile = "<script>alert(1)</script>\u202E" + "x".repeat(2_000);

        var shown = send(SETTINGS, SETTINGS, Map.of("name", "Notes", "description", hostile, "keywords", "a, b"));

        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.html())
                .contains("The description is saved.", "&lt;script&gt;alert(1)", "value=\"a, b\"")
                .doesNotContain("<script>alert");
        assertThat(bundle()).contains("<script>alert(1)", "\"keywords\":[\"a\",\"b\"]");
    }

    @Test
    void badTextsComeBackWithTheError() {
        var shown = send(
                SETTINGS,
                SETTINGS,
                Map.of("name", "Kept name", "repositoryUrl", "javascript:alert(1)", "license", "MIT"));

        assertThat(shown.status()).isEqualTo(422);
        assertThat(shown.html())
                .contains("value=\"Kept name\"", "value=\"javascript:alert(1)\"", "must be an address that begins with")
                .contains("aria-invalid=\"true\"");
        assertThat(bundle()).doesNotContain("javascript:", "Kept name");
    }

    @Test
    void whatSomebodyElseChangedIsNotLostUnseen() {
        var page = owner.open(at(SETTINGS));
        app().send("PATCH", BUNDLE, app().admin(), "{\"license\": \"Apache-2.0\"}");

        var shown = owner.submit(page, "action=\"" + SETTINGS + "\"", Map.of("name", "Mine"));

        assertThat(shown.status()).isEqualTo(412);
        assertThat(shown.html()).contains("Somebody else changed the bundle", "value=\"Mine\"");
        assertThat(bundle()).doesNotContain("\"Mine\"");
        assertThat(owner.submit(shown, "action=\"" + SETTINGS + "\"", Map.of()).status())
                .isEqualTo(200);
        assertThat(bundle()).contains("\"Mine\"");
    }

    @Test
    void visibilityAndAdviceChange() {
        app().push("acme/seen", "1.0.0", "private", "x");
        String settings = "/acme/seen/settings";
        assertThat(owner.open(at(settings)).html()).contains("Everybody sees it, without an account");

        send(settings, settings + "/visibility", Map.of("visibility", "public"));
        send(settings, settings + "/deprecation", Map.of("message", "Too old", "replacement", "acme/notes"));

        var read = app().get("/v1/namespaces/acme/bundles/seen", null);
        assertThat(read.text()).contains("\"visibility\":\"public\"", "Too old");
        send(settings, settings + "/deprecation", Map.of("over", "1"));
        assertThat(app().get("/v1/namespaces/acme/bundles/seen", null).text()).doesNotContain("Too old");
        assertThat(send(settings, settings + "/visibility", Map.of("visibility", "odd"))
                        .status())
                .isEqualTo(422);
    }

    @Test
    void aVersionIsTakenBackAndDeleted() {
        app().push("acme/gone", "1.0.0", "public", "x");
        app().push("acme/gone", "1.1.0", "public", "y");
        String one = "/acme/gone/settings/versions/1.1.0";
        String api = "/v1/namespaces/acme/bundles/gone/versions/1.1.0";
        assertThat(owner.open(at(one + "/yank")).html()).contains("What breaks", "latest");

        var refused = send(one + "/yank", one + "/yank", Map.of("reason", "It <b>hurts</b>", "reasonCode", "odd"));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.html()).contains("value=\"It &lt;b>hurts", "must be one of broken");
        send(one + "/yank", one + "/yank", Map.of("reason", "It hurts", "reasonCode", "broken"));

        assertThat(app().get(api, app().admin()).text()).contains("\"state\":\"yanked\"", "It hurts");
        send(one + "/unyank", one + "/unyank", Map.of());
        assertThat(app().get(api, app().admin()).text()).contains("\"state\":\"published\"");
        send(one + "/deprecate", one + "/deprecate", Map.of("message", "Odd"));
        assertThat(app().get(api, app().admin()).text()).contains("Odd");
        send(one + "/undeprecate", one + "/undeprecate", Map.of());
        var unnamed = send(one + "/delete", one + "/delete", Map.of("reason", "never", "confirm", "1.1.0"));
        assertThat(unnamed.html()).contains("That is not its name. Type acme/gone:1.1.0.", "value=\"never\"");
        assertThat(app().get(api, app().admin()).status()).isEqualTo(200);
        send(one + "/delete", one + "/delete", Map.of("reason", "never", "confirm", "acme/gone:1.1.0"));
        assertThat(app().get(api, app().admin()).status()).isEqualTo(410);
    }

    @Test
    void aVersionIsRecalledByItsNameAndTheRecallEnds() {
        app().push("acme/bad", "1.0.0", "public", "harmless");
        app().push("acme/bad", "1.1.0", "public", "sends keys");
        String page = "/acme/bad/versions/1.1.0";
        String one = "/acme/bad/settings/versions/1.1.0";
        String api = "/v1/namespaces/acme/bundles/bad/versions/1.1.0";
        assertThat(owner.follow(owner.open(at(page)), "/recall").html()).contains("What breaks", "POST /v1/namespaces");

        var unnamed = send(one + "/recall", one + "/recall", Map.of("severity", "critical", "reason", "It sends keys"));
        assertThat(unnamed.html()).contains("That is not its name", "value=\"It sends keys\"");
        var wrong = send(
                one + "/recall",
                one + "/recall",
                Map.of("severity", "critical", "reason", "Bad", "advisory", "no", "confirm", "acme/bad:1.1.0"));
        assertThat(wrong.html()).contains("id=\"error-advisory\"");
        assertThat(app().get(api + ":pull", null).status()).isEqualTo(200);
        send(
                one + "/recall",
                one + "/recall",
                Map.of(
                        "severity",
                        "critical",
                        "reason",
                        "It sends <b>keys</b>",
                        "replacement",
                        "1.0.0",
                        "confirm",
                        "acme/bad:1.1.0"));

        app().get(api + ":pull", null).assertRefused("410 version-recalled");
        var recalled = owner.open(at(page));
        assertThat(recalled.html()).contains("This version is recalled", "It sends &lt;b&gt;keys", "1.0.0", "critical");
        assertThat(recalled.html()).doesNotContain("SKILL.md");
        var file = owner.open(at(page + "/files/SKILL.md"));
        assertThat(file.status()).isEqualTo(410);
        assertThat(file.html()).contains("This version is recalled", "It sends &lt;b&gt;keys");
        assertThat(owner.follow(recalled, page.replace("/versions", "/settings/versions") + "/recall")
                        .html())
                .contains("It is recalled already", "value=\"It sends &lt;b>keys", "\"critical\" selected");
        assertThat(owner.open(at("/acme/bad/versions?state=recalled")).html()).contains("Recalled: It sends");
        assertThat(owner.follow(recalled, "/unrecall").html()).contains("End the recall");
        send(one + "/unrecall", one + "/unrecall", Map.of());
        assertThat(app().get(api + ":pull", null).status()).isEqualTo(200);
    }

    /// The pages of a version compare it with the one below, of which nothing can be read if it is recalled.
    @Test
    void whatIsAboveARecalledVersionIsShown() {
        for (String version : List.of("1.0.0", "1.1.0", "1.2.0")) {
            app().push("acme/mended", version, "public", "text of " + version);
        }
        var done = app().post(
                        "/v1/namespaces/acme/bundles/mended:recall",
                        app().admin(),
                        "{\"versions\": [\"1.1.0\"], \"severity\": \"high\", \"reason\": \"It sends keys\"}");
        assertThat(done.status()).as(done.text()).isEqualTo(200);

        for (String path : List.of("", "/versions", "/versions/1.2.0", "/tags", "/tags/latest")) {
            assertThat(owner.open(at("/acme/mended" + path)).status()).as(path).isEqualTo(200);
        }
        assertThat(owner.open(at("/acme/mended/versions/1.2.0")).html()).contains("changed since", ">1.0.0<");
        var compared = owner.open(at("/acme/mended/compare"));
        assertThat(compared.place().getPath()).endsWith("/compare/1.0.0...1.2.0");
        assertThat(compared.html()).doesNotContain("<option value=\"1.1.0\"");
        assertThat(owner.open(at("/acme/mended/compare/1.1.0...1.2.0")).html()).contains("was recalled (high)");
    }

    @Test
    void aVersionIsPurgedByItsNameAndWithAReason() {
        app().push("acme/leak", "1.0.0", "private", "password");
        String one = "/acme/leak/settings/versions/1.0.0";
        String api = "/v1/namespaces/acme/bundles/leak/versions/1.0.0";
        assertThat(owner.follow(owner.open(at(one + "/delete")), "/purge").html())
                .contains("Purge <span", "DELETE " + api + "?purge=true");

        var unnamed = send(one + "/purge", one + "/purge", Map.of("confirm", "leak", "reason", "Held it"));
        assertThat(unnamed.html()).contains("That is not its name", "value=\"Held it\"");
        var unreasoned = send(one + "/purge", one + "/purge", Map.of("confirm", "acme/leak:1.0.0"));
        assertThat(unreasoned.html()).contains("id=\"error-reason\"");
        assertThat(app().get(api, app().admin()).status()).isEqualTo(200);

        var done = send(one + "/purge", one + "/purge", Map.of("confirm", "acme/leak:1.0.0", "reason", "Held it"));

        assertThat(done.html()).contains("acme/leak:1.0.0 is purged.");
        assertThat(app().get(api, app().admin()).status()).isEqualTo(410);
    }

    @Test
    void whoIsNoAdministratorPurgesNothing() {
        app().push("acme/stays", "1.0.0", "private", "x");
        String one = "/acme/stays/settings/versions/1.0.0/purge";
        try (var publisher = person("purges@acme.test", "default", "publisher")) {
            var refused = publisher.submit(
                    publisher.open(at(one)),
                    "action=\"" + one + "\"",
                    Map.of("confirm", "acme/stays:1.0.0", "reason", "x"));

            assertThat(refused.status()).isIn(403, 422);
        }
        assertThat(app().get("/v1/namespaces/acme/bundles/stays/versions/1.0.0", app().admin())
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aBundleIsDeletedByItsNameAndComesBack() {
        app().push("acme/away", "1.0.0", "public", "x");
        String page = "/acme/away/settings/delete";
        String api = "/v1/namespaces/acme/bundles/away";
        assertThat(owner.open(at(page)).html()).contains("What breaks", "1 version is deleted", "latest");

        assertThat(send(page, page, Map.of("confirm", "away", "reason", "kept")).html())
                .contains("That is not its name", "value=\"kept\"");
        assertThat(app().get(api, null).status()).isEqualTo(200);
        var after = send(page, page, Map.of("confirm", "acme/away"));

        assertThat(app().get(api, app().admin()).status()).isEqualTo(404);
        assertThat(after.place().getPath()).isEqualTo("/acme/away/restore");
        owner.submit(after, "action=\"/acme/away/restore\"", Map.of());
        assertThat(app().get(api, null).status()).isEqualTo(200);
    }

    @Test
    void onlyWhoMayWriteSeesIt() {
        app().push("acme/hidden", "1.0.0", "private", "x");
        app().secondOrganization("others");
        try (var reader = person("reader@acme.test", "default", "reader");
                var stranger = person("stranger@others.test", "others", "owner");
                var nobody = browser()) {
            for (String rest : new String[] {"", "/files", "/files/edit", "/publish", "/versions", "/delete"}) {
                String page = at("/acme/hidden/settings" + rest);
                assertThat(reader.open(page).status()).as(rest).isEqualTo(403);
                assertThat(stranger.open(page).status()).as(rest).isEqualTo(404);
                assertThat(stranger.open(at("/acme/missing/settings" + rest)).status())
                        .as(rest)
                        .isEqualTo(404);
                assertThat(nobody.open(page).place().getPath()).as(rest).isEqualTo("/login");
            }
            assertThat(restoring(stranger, "hidden")).isEqualTo(restoring(stranger, "missing"));
        }
    }

    private String restoring(Browser browser, String slug) {
        return browser.open(at("/acme/" + slug + "/restore"))
                .html()
                .replaceAll("acme/(bundles/)?" + slug, "acme/x")
                .replaceAll("name=\"_token\" value=\"[^\"]*\"", "");
    }

    @Test
    void aFormWithoutItsTokenChangesNothing() {
        for (String rest : new String[] {
            "",
            "/visibility",
            "/deprecation",
            "/files/edit",
            "/files/delete",
            "/publish",
            "/versions/1.0.0/yank",
            "/versions/1.0.0/unyank",
            "/versions/1.0.0/deprecate",
            "/versions/1.0.0/delete",
            "/versions/1.0.0/purge",
            "/versions/1.0.0/recall",
            "/versions/1.0.0/unrecall",
            "/readme",
            "/delete"
        }) {
            assertThat(owner.post(at(SETTINGS + rest), "confirm=acme/notes&visibility=private")
                            .status())
                    .as(rest)
                    .isEqualTo(403);
        }
        assertThat(bundle()).contains("\"visibility\":\"public\"");
    }
}
