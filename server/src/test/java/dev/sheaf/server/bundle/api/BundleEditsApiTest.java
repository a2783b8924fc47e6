package dev.sheaf.server.bundle.api;

import static java.util.Objects.requireNonNullElse;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.BundleRecord;
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
        return reply.list(BundleRecord.class).stream().map(BundleRecord::slug).toList();
    }

    @Test
    void aBundleIsCreatedPrivateAndWithoutAVersion() {
        var created = create("make", "kit", """
                , "description": "For work", "readmeContent": "# Kit", "readmeFormat": "markdown", "license": "MIT",
                "repositoryUrl": "https://example.org/kit", "homepageUrl": "http://example.org", "keywords": ["a", "b"]""");

        assertThat(created.status()).as(created.text()).isEqualTo(201);
        assertThat(created.header("Location")).isEqualTo(all("make") + "/kit");
        var bundle = created.as(BundleRecord.class);
        assertThat(bundle.visibility()).isEqualTo("private");
        assertThat(bundle.sourceType()).isEqualTo("console");
        assertThat(bundle.ref()).isEqualTo("make/kit");
        assertThat(bundle.license()).isEqualTo("MIT");
        assertThat(bundle.repositoryUrl()).isEqualTo("https://example.org/kit");
        assertThat(bundle.homepageUrl()).isEqualTo("http://example.org");
        assertThat(bundle.keywords()).containsExactly("a", "b");
        assertThat(bundle.versionCount()).isZero();
        assertThat(bundle.latestVersion()).isNull();
        assertThat(bundle.updatedAt()).isNull();
        assertThat(app().get(all("make") + "/kit", app().admin()).as(BundleRecord.class))
                .isEqualTo(bundle);
        assertThat(app().get(all("make") + "/kit", null).status()).isEqualTo(401);
        app().get(all("make") + "/kit:resolve", app().admin()).assertRefused("404 no-active-version");
        create("make", "kit", "").assertRefused("409 name-taken");
    }

    @Test
    void versionsArePushedIntoACreatedBundleAndKeepWhatWasEdited() {
        create(
                "grow",
                "kit",
                ", \"description\": \"By hand\", \"readmeContent\": \"# By hand\", \"visibility\": \"public\"");

        assertThat(app().push("grow/kit", "1.0.0", "public", "one").status()).isEqualTo(201);

        var bundle = app().get(all("grow") + "/kit", null).as(BundleRecord.class);
        assertThat(bundle.latestVersion()).isEqualTo("1.0.0");
        assertThat(bundle.name()).isEqualTo("Test");
        assertThat(bundle.description()).isEqualTo("By hand");
        assertThat(bundle.readmeContent()).isEqualTo("# By hand");
    }

    @Test
    void aMergePatchChangesWhatItNamesAndRemovesWhatIsNull() {
        create("edit", "kit", ", \"description\": \"Old\", \"license\": \"MIT\", \"keywords\": [\"a\"]");
        var before = app().get(all("edit") + "/kit", app().admin());

        var edited = patch(all("edit") + "/kit", """
                {"name": "New", "description": null, "keywords": ["b", "b", "c"], "slug": "kit", "unknown": 1}""");
        var nothing = patch(all("edit") + "/kit", "{}");

        assertThat(edited.status()).as(edited.text()).isEqualTo(200);
        assertThat(edited.as(BundleRecord.class).name()).isEqualTo("New");
        assertThat(edited.as(BundleRecord.class).description()).isNull();
        assertThat(edited.as(BundleRecord.class).license()).isEqualTo("MIT");
        assertThat(edited.as(BundleRecord.class).keywords()).containsExactly("b", "c");
        assertThat(edited.as(BundleRecord.class).updatedAt()).isNotNull();
        assertThat(edited.header("ETag")).isNotEqualTo(before.header("ETag"));
        assertThat(nothing.json()).isEqualTo(edited.json());
        assertThat(events("edit/kit")).containsExactlyInAnyOrder("bundle.created", "bundle.updated");
        assertThat(patch(all("edit") + "/kit", "{\"keywords\": null}")
                        .as(BundleRecord.class)
                        .keywords())
                .isEmpty();
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
    void rejectsEditWithStaleETag() {
        create("stale", "kit", "");
        String old = app().get(all("stale") + "/kit", app().admin()).header("ETag");
        String current = patch(all("stale") + "/kit", "{\"name\": \"One\"}").header("ETag");

        var refused = app().send(app().request("PATCH", all("stale") + "/kit", app().admin(), "{\"name\": \"Two\"}")
                .header("If-Match", old));
        var taken = app().send(app().request("PATCH", all("stale") + "/kit", app().admin(), "{\"name\": \"Two\"}")
                .header("If-Match", "\"other\", " + current));

        refused.assertRefused("412 precondition-failed");
        assertThat(refused.json().get("etag").stringValue()).isEqualTo(current);
        assertThat(taken.status()).isEqualTo(200);
        assertThat(taken.as(BundleRecord.class).name()).isEqualTo("Two");
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
    void rejectsWrongMemberOfNewBundleByName(String body, String pointer) {
        var reply = app().post(all("wrongnew"), app().admin(), body);

        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.problem().errors().getFirst().pointer()).isEqualTo(pointer);
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
    void rejectsWrongMemberOfEditByNameAndChangesNothing(String body, String pointer) {
        create("wrongedit", "kit", "");
        var before = app().get(all("wrongedit") + "/kit", app().admin()).as(BundleRecord.class);

        var reply = patch(all("wrongedit") + "/kit", body);

        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.problem().errors().getFirst().pointer()).isEqualTo(pointer);
        assertThat(app().get(all("wrongedit") + "/kit", app().admin()).as(BundleRecord.class))
                .isEqualTo(before);
    }

    @Test
    void rejectsReadmeOverItsLimit() {
        create("readme", "kit", "");

        var most = patch(all("readme") + "/kit", "{\"readmeContent\": \"" + "x".repeat(512 << 10) + "\"}");
        var more = patch(all("readme") + "/kit", "{\"readmeContent\": \"" + "é".repeat((256 << 10) + 1) + "\"}");

        assertThat(most.status()).isEqualTo(200);
        more.assertRefused("422 validation-failed");
    }

    @Test
    void aListHoldsWhatTheCallerMaySee() {
        create("list", "hidden", "");
        create("list", "seen", ", \"visibility\": \"public\"");
        String stranger = app().secondOrganization("listers");
        String narrow = app().secret("""
                {"name": "narrow-list", "restrictions": {"bundles": ["list/hid*"]}}""");

        assertThat(slugs(app().get(all("list"), app().admin()))).containsExactly("hidden", "seen");
        assertThat(slugs(app().get(all("list"), null))).containsExactly("seen");
        assertThat(slugs(app().get(all("list"), stranger))).containsExactly("seen");
        assertThat(slugs(app().get(all("list"), narrow))).containsExactly("hidden", "seen");
        assertThat(slugs(app().get(all("list") + "?visibility=private", stranger)))
                .isEmpty();
        var one = app().get(all("list"), null).list(BundleRecord.class).getFirst();
        assertThat(one.versionCount()).isNull();
        assertThat(one.keywords()).isNull();
    }

    @Test
    void namespaceWithoutVisibleBundlesLooksMissing() {
        create("closed", "hidden", "");
        String stranger = app().secondOrganization("closers");

        for (String query : List.of("", "?q=hidden", "?visibility=private")) {
            var anonymous = app().get(all("closed") + query, null);
            var foreign = app().get(all("closed") + query, stranger);
            assertThat(anonymous.status()).isEqualTo(401);
            assertThat(foreign.status()).isEqualTo(404);
            assertThat(anonymous.without("closed"))
                    .isEqualTo(app().get(all("nobodys") + query, null).without("nobodys"));
            assertThat(foreign.without("closed"))
                    .isEqualTo(app().get(all("nobodys") + query, stranger).without("nobodys"));
        }
        app().post(all("closed"), stranger, "{\"slug\": \"hidden\", \"name\": \"x\"}")
                .assertRefused("404 bundle-not-found");
        app().post(all("closed"), stranger, "{\"slug\": \"other\", \"name\": \"x\"}")
                .assertRefused("404 bundle-not-found");
        assertThat(app().send("PATCH", all("closed") + "/hidden", stranger, "{}")
                        .status())
                .isEqualTo(404);
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
            var next = page.page(BundleRecord.class).meta().nextCursor();
            cursor = next == null ? "" : "&cursor=" + next;
        } while (!cursor.isEmpty());
        assertThat(seen).containsExactly("b", "d", "f", "h");
        app().get(all("paged") + "?visibility=hidden", app().admin()).assertRefused("422 validation-failed");
        String foreign = requireNonNullElse(
                app().get(all("paged") + "?limit=1&q=b", app().admin())
                        .page(BundleRecord.class)
                        .meta()
                        .nextCursor(),
                "bm9uZQ");
        app().get(all("paged") + "?limit=1&q=c&cursor=" + foreign, app().admin())
                .assertRefused("400 invalid-cursor");
    }
}
