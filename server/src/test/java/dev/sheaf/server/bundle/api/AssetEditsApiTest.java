package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.bundle.Asset;
import dev.sheaf.server.testing.AssetScenario;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Editing a bundle asset by asset over HTTP (contract 3.4).
class AssetEditsApiTest extends AssetScenario {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "../a",
                "a/../b",
                "%2e%2e/a",
                "a%2f..%2fb",
                "a/%2E%2E%2Fb",
                ".",
                "a%00b",
                "a%5Cb",
                "a//b",
                "%2Fa",
                "a/",
                "%252e%252e/a",
                "a%3Fb",
                "a%23b",
                "CON.txt",
                "a%1Bb",
                "a%C3",
                "e%CC%81.md"
            })
    void rejectsHostilePaths(String path) {
        create("hostile" + Integer.toHexString(path.hashCode()) + "/kit", "private");
        String all = assets("hostile" + Integer.toHexString(path.hashCode()) + "/kit");

        var put = put(all + "/" + path, "x");
        var get = app().get(all + "/" + path, app().admin());

        assertThat(put.status()).as(put.text()).isIn(400, 404, 405, 422);
        assertThat(get.status()).as(get.text()).isIn(400, 404, 422);
        assertThat(paths(all, app().admin())).isEmpty();
    }

    @Test
    void rejectsLongPaths() {
        create("long/kit", "private");

        String longest = "p".repeat(255) + "/" + "p".repeat(244);
        assertThat(put(assets("long/kit") + "/" + longest, "x").status()).isEqualTo(201);
        put(assets("long/kit") + "/" + longest + "p", "x").assertRefused("422 validation-failed");
        put(assets("long/kit") + "/" + "p".repeat(256), "x").assertRefused("422 validation-failed");
        put(assets("long/kit") + "/" + "a/".repeat(12) + "b", "x").assertRefused("422 validation-failed");
    }

    @Test
    void whatAnAssetIsComesFromTheRequestElseFromItsPath() {
        create("kind/kit", "private");
        String all = assets("kind/kit");

        var raw = put(
                        all + "/a.json",
                        "{}".getBytes(StandardCharsets.UTF_8),
                        "Content-Type",
                        "application/octet-stream")
                .as(Asset.class);
        var typed = put(all + "/b", "x".getBytes(StandardCharsets.UTF_8), "Content-Type", "text/X-Thing; charset=utf-8")
                .as(Asset.class);
        var queried = put(all + "/c?assetType=tool&mediaType=text/csv", "x").as(Asset.class);
        var form = put(all + "/d.md", """
                {"contentText": "h\\u00e9", "assetType": "blueprint", "mediaType": null}""".getBytes(StandardCharsets.UTF_8), "Content-Type", "application/json")
                .as(Asset.class);

        assertThat(raw.mediaType()).isEqualTo("application/json");
        assertThat(typed.mediaType()).isEqualTo("text/x-thing");
        assertThat(queried.assetType()).isEqualTo("toolset");
        assertThat(queried.mediaType()).isEqualTo("text/csv");
        assertThat(form.assetType()).isEqualTo("other");
        assertThat(form.mediaType()).isEqualTo("text/markdown");
        assertThat(form.sizeBytes()).isEqualTo(3);
        put(all + "/e?assetType=%00", "x").assertRefused("422 validation-failed");
        put(all + "/e?mediaType=nothing", "x").assertRefused("422 validation-failed");
    }

    @Test
    void aKindThatNobodyKnowsKeepsItsWord() {
        create("declared/kit", "private");
        String path = assets("declared/kit") + "/a.md";

        var first = put(path + "?assetType=blueprint", "x").as(Asset.class);
        var again = put(path + "?assetType=sketch", "x").as(Asset.class);
        app().post(bundle("declared/kit") + ":publish", app().admin(), "{\"version\": \"1.0.0\"}");
        var known = put(path + "?assetType=skill", "x").as(Asset.class);

        assertThat(first.assetType()).isEqualTo("other");
        assertThat(first.declaredType()).isEqualTo("blueprint");
        assertThat(again.declaredType()).isEqualTo("sketch");
        assertThat(known.assetType()).isEqualTo("skill");
        assertThat(known.declaredType()).isNull();
        var published = app().get(path + "?version=1.0.0", app().admin()).as(Asset.class);
        assertThat(published.assetType()).isEqualTo("other");
        assertThat(published.declaredType()).isEqualTo("sketch");
        var listed = app().get(assets("declared/kit") + "?version=1.0.0", app().admin())
                .page(Asset.class);
        assertThat(listed.data().getFirst().declaredType()).isEqualTo("sketch");
        var byId =
                app().get("/v1/runner/assets/" + published.id(), app().admin()).as(Asset.class);
        assertThat(byId.declaredType()).isEqualTo("sketch");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                            | /contentText
            {"contentText": null}                         | /contentText
            {"contentText": 7}                            | /contentText
            {"contentText": "\\ud800"}                    | /contentText
            {"contentText": "x", "assetType": 7}          | /assetType
            {"contentText": "x", "assetType": ["skill"]}  | /assetType
            {"contentText": "x", "mediaType": "nothing"}  | /mediaType
            {"contentText": "x", "mediaType": {}}         | /mediaType
            """)
    void rejectsWrongFormFieldByName(String body, String pointer) {
        String repository = "form" + Integer.toHexString(body.hashCode()) + "/kit";
        create(repository, "private");

        var reply = app().send("PUT", assets(repository) + "/a.md", app().admin(), body);

        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.problem().errors().getFirst().pointer()).isEqualTo(pointer);
        assertThat(paths(assets(repository), app().admin())).isEmpty();
    }

    @Test
    void rejectsLongMembers() {
        create("size/kit", "private");
        String path = assets("size/kit") + "/a.md";

        var text = app().send("PUT", path, app().admin(), "{\"contentText\": \"" + "x".repeat((4 << 20) + 1) + "\"}");
        var word = app().send(
                        "PUT",
                        path,
                        app().admin(),
                        "{\"contentText\": \"x\", \"assetType\": \"" + "w".repeat(101) + "\"}");
        var announced = put(path + "?announced", new byte[0]); // an empty asset is fine

        assertThat(text.problem().errors().getFirst().code()).isEqualTo("too-long");
        assertThat(word.problem().errors().getFirst().code()).isEqualTo("too-long");
        assertThat(announced.status()).isEqualTo(201);
    }

    @Test
    void pathsThatDifferInCaseOnlyCollide() {
        create("fold/kit", "private");
        put(assets("fold/kit") + "/Docs/A.md", "x");

        var other = put(assets("fold/kit") + "/docs/a.md", "x");

        other.assertRefused("422 validation-failed");
        assertThat(other.text()).contains("Docs/A.md");
        app().send("DELETE", assets("fold/kit") + "/Docs/A.md", app().admin(), null);
        assertThat(put(assets("fold/kit") + "/docs/a.md", "x").status()).isEqualTo(201);
    }

    @Test
    void rejectsEditWithStaleETag() {
        create("cond/kit", "private");
        String path = assets("cond/kit") + "/a.md";
        byte[] x = {'x'};

        assertThat(put(path, x, "If-Match", "*").status()).isEqualTo(412);
        var made = put(path, x, "If-None-Match", "*");
        assertThat(made.status()).isEqualTo(201);
        assertThat(put(path, x, "If-None-Match", "*").status()).isEqualTo(412);
        assertThat(put(path, x, "If-Match", "\"other\"").status()).isEqualTo(412);
        assertThat(put(path, "y".getBytes(StandardCharsets.UTF_8), "If-Match", made.header("ETag"))
                        .status())
                .isEqualTo(200);
        String digest = "\"" + Digest.sha256("y".getBytes(StandardCharsets.UTF_8)) + "\"";
        assertThat(put(path, "z".getBytes(StandardCharsets.UTF_8), "If-Match", digest)
                        .status())
                .isEqualTo(200);
        assertThat(app().send(app().request("DELETE", path, app().admin(), null)
                                .header("If-Match", made.header("ETag")))
                        .status())
                .isEqualTo(412);
        assertThat(app().get(path, app().admin()).as(Asset.class).contentText()).isEqualTo("z");
    }

    @Test
    void aBlobThatIsBeingEditedIsNotTakenAway() {
        create("hold/kit", "private");
        put(assets("hold/kit") + "/a.md", "held");
        String digest = Digest.sha256("held".getBytes(StandardCharsets.UTF_8)).toString();

        var refused = app().send("DELETE", "/v2/hold/kit/blobs/" + digest, app().admin(), null);
        app().send("DELETE", assets("hold/kit") + "/a.md", app().admin(), null);
        var taken = app().send("DELETE", "/v2/hold/kit/blobs/" + digest, app().admin(), null);

        assertThat(refused.status()).as(refused.text()).isEqualTo(409);
        assertThat(taken.status()).isEqualTo(202);
    }

    @Test
    void editsAreAudited() {
        create("audit/kit", "private");
        put(assets("audit/kit") + "/a.md", "x");
        put(assets("audit/kit") + "/a.md", "x");
        app().send("DELETE", assets("audit/kit") + "/a.md", app().admin(), null);

        var actions = app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT action FROM audit WHERE subject = 'audit/kit/a.md'")
                        .mapTo(String.class)
                        .list());

        assertThat(actions).containsExactlyInAnyOrder("asset.put", "asset.delete");
    }
}
