package dev.sheaf.server.v1.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Bundles over HTTP: create, edit, list (contract 3.3).
class BundleEditsApiTest extends OnEveryStack {
    private static String all(String namespace) {
        return "/v1/namespaces/" + namespace + "/bundles";
    }

    private Reply create(String namespace, String slug, String more) {
        return app().post(all(namespace), app().admin(), "{\"slug\": \"" + slug + "\", \"name\": \"Kit\"" + more + "}");
    }

    private Reply patch(String path, String body) {
        return app().send(app().request("PATCH", path, app().admin(), body)
                .setHeader("Content-Type", "application/merge-patch+json"));
    }

    private static List<String> slugs(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json().get("data").findValuesAsString("slug");
    }

    private static String code(Reply reply) {
        return reply.status() + " " + reply.json().get("code").stringValue();
    }

    @Test
    void aBundleIsCreatedPrivateAndWithoutAVersion() {
        var created = create("make", "kit", """
                , "description": "For work", "readmeContent": "# Kit", "readmeFormat": "markdown", "license": "MIT",
                "repositoryUrl": "https://example.org/kit", "homepageUrl": "http://example.org", "keywords": ["a", "b"]""");

        assertThat(created.status()).as(created.text()).isEqualTo(201);
        assertThat(created.header("Location")).isEqualTo(all("make") + "/kit");
        var bundle = created.json();
        assertThat(bundle.get("visibility").stringValue()).isEqualTo("private");
        assertThat(bundle.get("sourceType").stringValue()).isEqualTo("console");
        assertThat(bundle.get("ref").stringValue()).isEqualTo("make/kit");
        assertThat(bundle.get("license").stringValue()).isEqualTo("MIT");
        assertThat(bundle.get("repositoryUrl").stringValue()).isEqualTo("https://example.org/kit");
        assertThat(bundle.get("homepageUrl").stringValue()).isEqualTo("http://example.org");
        assertThat(bundle.get("keywords").toString()).isEqualTo("[\"a\",\"b\"]");
        assertThat(bundle.get("versionCount").intValue()).isZero();
        assertThat(bundle.has("latestVersion")).isFalse();
        assertThat(bundle.has("updatedAt")).isFalse();
        assertThat(app().get(all("make") + "/kit", app().admin()).json()).isEqualTo(bundle);
        assertThat(app().get(all("make") + "/kit", null).status()).isEqualTo(401);
        assertThat(code(app().get(all("make") + "/kit:resolve", app().admin()))).isEqualTo("404 no-active-version");
        assertThat(code(create("make", "kit", ""))).isEqualTo("409 name-taken");
    }

    @Test
    void versionsArePushedIntoACreatedBundleAndKeepWhatWasEdited() {
        create(
                "grow",
                "kit",
                ", \"description\": \"By hand\", \"readmeContent\": \"# By hand\", \"visibility\": \"public\"");

        assertThat(app().push("grow/kit", "1.0.0", "public", "one").status()).isEqualTo(201);

        var bundle = app().get(all("grow") + "/kit", null).json();
        assertThat(bundle.get("latestVersion").stringValue()).isEqualTo("1.0.0");
        assertThat(bundle.get("name").stringValue()).isEqualTo("Test");
        assertThat(bundle.get("description").stringValue()).isEqualTo("By hand");
        assertThat(bundle.get("readmeContent").stringValue()).isEqualTo("# By hand");
    }

    @Test
    void aMergePatchChangesWhatItNamesAndRemovesWhatIsNull() {
        create("edit", "kit", ", \"description\": \"Old\", \"license\": \"MIT\", \"keywords\": [\"a\"]");
        var before = app().get(all("edit") + "/kit", app().admin());

        var edited = patch(all("edit") + "/kit", """
                {"name": "New", "description": null, "keywords": ["b", "b", "c"], "slug": "kit", "unknown": 1}""");
        var nothing = patch(all("edit") + "/kit", "{}");

        assertThat(edited.status()).as(edited.text()).isEqualTo(200);
        assertThat(edited.json().get("name").stringValue()).isEqualTo("New");
        assertThat(edited.json().has("description")).isFalse();
        assertThat(edited.json().get("license").stringValue()).isEqualTo("MIT");
        assertThat(edited.json().get("keywords").toString()).isEqualTo("[\"b\",\"c\"]");
        assertThat(edited.json().get("updatedAt").stringValue()).endsWith("Z");
        assertThat(edited.header("ETag")).isNotEqualTo(before.header("ETag"));
        assertThat(nothing.json()).isEqualTo(edited.json());
        assertThat(events("edit/kit")).containsExactlyInAnyOrder("bundle.created", "bundle.updated");
        assertThat(patch(all("edit") + "/kit", "{\"keywords\": null}")
                        .json()
                        .get("keywords")
                        .size())
                .isZero();
    }

    private List<String> events(String subject) {
        return app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT type FROM event WHERE subject = :subject")
                        .bind("subject", subject)
                        .mapTo(String.class)
                        .list());
    }

    @Test
    void anEditOfWhatHasChangedSinceIsRefused() {
        create("stale", "kit", "");
        String old = app().get(all("stale") + "/kit", app().admin()).header("ETag");
        String current = patch(all("stale") + "/kit", "{\"name\": \"One\"}").header("ETag");

        var refused = app().send(app().request("PATCH", all("stale") + "/kit", app().admin(), "{\"name\": \"Two\"}")
                .header("If-Match", old));
        var taken = app().send(app().request("PATCH", all("stale") + "/kit", app().admin(), "{\"name\": \"Two\"}")
                .header("If-Match", "\"other\", " + current));

        assertThat(code(refused)).isEqualTo("412 precondition-failed");
        assertThat(refused.json().get("etag").stringValue()).isEqualTo(current);
        assertThat(taken.status()).isEqualTo(200);
        assertThat(taken.json().get("name").stringValue()).isEqualTo("Two");
    }

    @Test
    void aChangeOfVisibilityIsSeenAtOnceEverywhere() {
        app().push("show/kit", "1.0.0", "private", "one");
        String path = all("show") + "/kit";
        assertThat(app().get(path + ":resolve", null).status()).isEqualTo(401);

        patch(path, "{\"visibility\": \"public\"}");
        var shown = List.of(
                app().get(path + ":resolve", null).status(),
                app().get("/v2/show/kit/manifests/1.0.0", null).status(),
                app().get(all("show"), null).status());
        patch(path, "{\"visibility\": \"private\"}");
        var hidden = List.of(
                app().get(path + ":resolve", null).status(),
                app().get("/v2/show/kit/manifests/1.0.0", null).status(),
                app().get(all("show"), null).status());

        assertThat(shown).containsExactly(200, 200, 200);
        assertThat(hidden).containsExactly(401, 401, 401);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                     | /slug
            {"slug": "Kit", "name": "x"}                           | /slug
            {"slug": "kit"}                                        | /name
            {"slug": "kit", "name": " "}                           | /name
            {"slug": "kit", "name": 7}                             | /name
            {"slug": "kit", "name": "x", "visibility": "secret"}   | /visibility
            {"slug": "kit", "name": "x", "homepageUrl": "javascript:alert(1)"} | /homepageUrl
            {"slug": "kit", "name": "x", "repositoryUrl": "x y"}   | /repositoryUrl
            {"slug": "kit", "name": "x", "repositoryUrl": 7}       | /repositoryUrl
            {"slug": "kit", "name": "x", "keywords": "a"}          | /keywords
            {"slug": "kit", "name": "x", "keywords": ["a", ""]}    | /keywords/1
            {"slug": "kit", "name": "x", "keywords": ["a\\nb"]}    | /keywords/0
            {"slug": "kit", "name": "x", "license": []}            | /license
            """)
    void whatIsWrongWithANewBundleIsNamed(String body, String pointer) {
        var reply = app().post(all("wrongnew"), app().admin(), body);

        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.json().get("errors").get(0).get("pointer").stringValue())
                .isEqualTo(pointer);
        assertThat(app().get(all("wrongnew") + "/kit", app().admin()).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"slug": "other"}         | /slug
            {"slug": null}            | /slug
            {"name": null}            | /name
            {"name": ""}              | /name
            {"visibility": null}      | /visibility
            {"visibility": true}      | /visibility
            {"description": 7}        | /description
            {"homepageUrl": "ftp://x"} | /homepageUrl
            """)
    void whatIsWrongWithAnEditIsNamedAndNothingChanges(String body, String pointer) {
        create("wrongedit", "kit", "");
        var before = app().get(all("wrongedit") + "/kit", app().admin()).json();

        var reply = patch(all("wrongedit") + "/kit", body);

        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.json().get("errors").get(0).get("pointer").stringValue())
                .isEqualTo(pointer);
        assertThat(app().get(all("wrongedit") + "/kit", app().admin()).json()).isEqualTo(before);
    }

    @Test
    void aReadmeHasItsLimit() {
        create("readme", "kit", "");

        var most = patch(all("readme") + "/kit", "{\"readmeContent\": \"" + "x".repeat(512 << 10) + "\"}");
        var more = patch(all("readme") + "/kit", "{\"readmeContent\": \"" + "é".repeat((256 << 10) + 1) + "\"}");

        assertThat(most.status()).isEqualTo(200);
        assertThat(code(more)).isEqualTo("422 validation-failed");
    }

    @Test
    void aListHoldsWhatTheCallerMaySee() {
        create("list", "hidden", "");
        create("list", "seen", ", \"visibility\": \"public\"");
        String stranger = app().secondOrganization("listers");
        String narrow = app().post("/v1/organizations/default/api-keys", app().admin(), """
                {"name": "narrow-list", "restrictions": {"bundles": ["list/hid*"]}}""")
                .json()
                .get("key")
                .stringValue();

        assertThat(slugs(app().get(all("list"), app().admin()))).containsExactly("hidden", "seen");
        assertThat(slugs(app().get(all("list"), null))).containsExactly("seen");
        assertThat(slugs(app().get(all("list"), stranger))).containsExactly("seen");
        assertThat(slugs(app().get(all("list"), narrow))).containsExactly("hidden", "seen");
        assertThat(slugs(app().get(all("list") + "?visibility=private", stranger)))
                .isEmpty();
        var one = app().get(all("list"), null).json().get("data").get(0);
        assertThat(one.has("versionCount")).isFalse();
        assertThat(one.has("keywords")).isFalse();
    }

    @Test
    void aNamespaceWithNothingToSeeLooksLikeNone() {
        create("closed", "hidden", "");
        String stranger = app().secondOrganization("closers");

        for (String query : List.of("", "?q=hidden", "?visibility=private")) {
            var anonymous = app().get(all("closed") + query, null);
            var foreign = app().get(all("closed") + query, stranger);
            assertThat(anonymous.status()).isEqualTo(401);
            assertThat(foreign.status()).isEqualTo(404);
            assertThat(anonymized(anonymous, "closed"))
                    .isEqualTo(anonymized(app().get(all("nobodys") + query, null), "nobodys"));
            assertThat(anonymized(foreign, "closed"))
                    .isEqualTo(anonymized(app().get(all("nobodys") + query, stranger), "nobodys"));
        }
        assertThat(code(app().post(all("closed"), stranger, "{\"slug\": \"hidden\", \"name\": \"x\"}")))
                .isEqualTo("404 bundle-not-found");
        assertThat(code(app().post(all("closed"), stranger, "{\"slug\": \"other\", \"name\": \"x\"}")))
                .isEqualTo("404 bundle-not-found");
        assertThat(app().send("PATCH", all("closed") + "/hidden", stranger, "{}")
                        .status())
                .isEqualTo(404);
    }

    private static String anonymized(Reply reply, String name) {
        return reply.text().replace(name, "NAME").replaceAll("\"requestId\":\"[^\"]*\"", "");
    }

    @Test
    void aListIsFilteredAndComesInPagesThatSurviveInserts() {
        for (String slug : List.of("b", "d", "f", "h")) {
            create("paged", slug, ", \"description\": \"Größe " + slug + "\"");
        }
        create("paged", "other", ", \"visibility\": \"public\"");

        assertThat(slugs(app().get(all("paged") + "?q=GR%C3%96SSE", app().admin())))
                .isEmpty();
        assertThat(slugs(app().get(all("paged") + "?q=gR%C3%96%C3%9FE%20d", app().admin())))
                .containsExactly("d");
        assertThat(slugs(app().get(all("paged") + "?q=OTH", app().admin()))).containsExactly("other");
        assertThat(slugs(app().get(all("paged") + "?visibility=public", app().admin())))
                .containsExactly("other");
        var seen = new ArrayList<String>();
        String cursor = "";
        do {
            var page = app().get(all("paged") + "?limit=2&visibility=private" + cursor, app().admin());
            seen.addAll(slugs(page));
            create("paged", "a" + seen.size(), "");
            var next = page.json().get("meta").get("nextCursor");
            cursor = next.isNull() ? "" : "&cursor=" + next.stringValue();
        } while (!cursor.isEmpty());
        assertThat(seen).containsExactly("b", "d", "f", "h");
        assertThat(code(app().get(all("paged") + "?visibility=hidden", app().admin())))
                .isEqualTo("422 validation-failed");
        String foreign = app().get(all("paged") + "?limit=1&q=b", app().admin())
                .json()
                .get("meta")
                .get("nextCursor")
                .asString("bm9uZQ");
        assertThat(code(app().get(all("paged") + "?limit=1&q=c&cursor=" + foreign, app().admin())))
                .isEqualTo("400 invalid-cursor");
    }
}
