package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.bundle.Asset;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.server.testing.AssetScenario;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Reading assets one by one over HTTP (contract 3.4).
class AssetsApiTest extends AssetScenario {
    @Test
    void anAssetIsMadeReadReplacedAndRemoved() {
        create("one/kit", "private");
        String path = assets("one/kit") + "/skills/a/SKILL.md";

        var made = put(path, "# A\n");
        pass(Duration.ofSeconds(1));
        var replaced = put(path, "# B\n");
        var read = app().get(path, app().admin());

        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.header("Location")).isEqualTo(path);
        var first = made.as(Asset.class);
        assertThat(first.logicalPath()).isEqualTo("skills/a/SKILL.md");
        assertThat(first.assetType()).isEqualTo("skill");
        assertThat(first.mediaType()).isEqualTo("text/markdown");
        assertThat(first.contentSizeBytes()).isEqualTo(4);
        assertThat(first.sizeBytes()).isEqualTo(4);
        assertThat(first.contentSha256())
                .isEqualTo(
                        Digest.sha256("# A\n".getBytes(StandardCharsets.UTF_8)).hex());
        assertThat(first.bundleId().toString())
                .isEqualTo(app().get(bundle("one/kit"), app().admin())
                        .as(BundleRecord.class)
                        .id()
                        .toString());
        assertThat(first.updatedAt()).isNull();
        assertThat(replaced.status()).isEqualTo(200);
        assertThat(replaced.as(Asset.class).id()).isEqualTo(first.id());
        assertThat(replaced.as(Asset.class).updatedAt()).isNotNull();
        assertThat(read.as(Asset.class).contentText()).isEqualTo("# B\n");
        assertThat(read.header("ETag")).isEqualTo(replaced.header("ETag")).isNotEqualTo(made.header("ETag"));
        assertThat(read.header("Cache-Control")).startsWith("private");
        assertThat(put(path, "# B\n").json()).isEqualTo(replaced.json());
        assertThat(app().send("DELETE", path, app().admin(), null).status()).isEqualTo(204);
        app().get(path, app().admin()).assertRefused("404 asset-not-found");
        app().send("DELETE", path, app().admin(), null).assertRefused("404 asset-not-found");
        assertThat(paths(assets("one/kit"), app().admin())).isEmpty();
    }

    @Test
    void allSpellingsOfAPathReachTheSameAsset() {
        create("spell/kit", "private");
        put(assets("spell/kit") + "/docs%2Fa%20b/c+d.md", "one");

        for (String spelling : List.of("docs/a%20b/c+d.md", "docs%2Fa%20b%2fc%2Bd.md", "docs/a%20b%2Fc%2bd.md")) {
            var reply = app().get(assets("spell/kit") + "/" + spelling, app().admin())
                    .as(Asset.class);
            assertThat(reply.logicalPath()).isEqualTo("docs/a b/c+d.md");
        }
        assertThat(put(assets("spell/kit") + "/docs/a%20b/c+d.md", "two").status())
                .isEqualTo(200);
    }

    @Test
    void bytesComeRawWithTheirDigestAndInRanges() {
        create("raw/kit", "private");
        var bytes = new byte[100_000];
        new Random(7).nextBytes(bytes);
        String path = assets("raw/kit") + "/data.bin";
        assertThat(put(path, bytes).status()).isEqualTo(201);

        var whole = get(path, app().admin(), "Accept", "application/octet-stream");
        var part = get(path, app().admin(), "Accept", "application/octet-stream", "Range", "bytes=10-19");
        var none = get(path, app().admin(), "Accept", "application/octet-stream", "Range", "bytes=100000-");
        var known =
                get(path, app().admin(), "Accept", "application/octet-stream", "If-None-Match", whole.header("ETag"));
        var record = get(path, app().admin(), "Accept", "application/json");

        String hex = Digest.sha256(bytes).hex();
        String field =
                "sha-256=:" + Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hex)) + ":";
        assertThat(whole.response().body()).isEqualTo(bytes);
        assertThat(whole.header("Content-Digest")).isEqualTo(field);
        assertThat(whole.header("Content-Type")).isEqualTo("application/octet-stream");
        assertThat(whole.header("ETag")).isEqualTo("\"sha256:" + hex + "\"");
        assertThat(whole.response().headers().allValues("Vary")).contains("Accept", "Authorization");
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.header("Content-Range")).isEqualTo("bytes 10-19/100000");
        assertThat(part.header("Repr-Digest")).isEqualTo(field);
        assertThat(part.header("Content-Digest")).isEmpty();
        assertThat(part.response().body()).hasSize(10).isEqualTo(Arrays.copyOfRange(bytes, 10, 20));
        assertThat(none.status()).isEqualTo(416);
        assertThat(none.header("Content-Range")).isEqualTo("bytes */100000");
        assertThat(known.status()).isEqualTo(304);
        assertThat(record.refusal()).as("it is no text").isEqualTo("409 binary-assets");
    }

    @Test
    void workingAssetsStartFromLatestVersionAndAreHiddenFromStrangers() {
        app().push("begin/kit", "1.0.0", "public", "one");
        String stranger = app().secondOrganization("beginners");
        String all = assets("begin/kit");
        assertThat(paths(all, app().admin())).containsExactly("SKILL.md");

        put(all + "/more.md", "more");
        app().push("begin/kit", "1.1.0", "public", "eleven");

        assertThat(paths(all, app().admin())).containsExactly("SKILL.md", "more.md");
        assertThat(app().get(all + "/SKILL.md", app().admin()).as(Asset.class).contentText())
                .as("a push leaves it alone")
                .isEqualTo("one");
        for (var who : Arrays.asList(null, stranger)) {
            assertThat(paths(all, who)).containsExactly("SKILL.md");
            assertThat(app().get(all + "/SKILL.md", who).as(Asset.class).contentText())
                    .isEqualTo("eleven");
            app().get(all + "/more.md", who).assertRefused("404 asset-not-found");
        }
        assertThat(app().get(all + "/SKILL.md?version=1.0.0", null)
                        .as(Asset.class)
                        .contentText())
                .isEqualTo("one");
        assertThat(paths(all + "?version=%5E1", null)).containsExactly("SKILL.md");
        app().get(all + "/more.md?version=1.0.0", app().admin()).assertRefused("404 asset-not-found");
        app().get(all + "?version=3.0.0", app().admin()).assertRefused("404 version-not-found");
        assertThat(app().send("PUT", all + "/x.md", stranger, "{\"contentText\": \"x\"}")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void theListComesInPages() {
        create("pages/kit", "private");
        for (String name : List.of("c", "a", "b/x", "b.md")) {
            put(assets("pages/kit") + "/" + name, name);
        }

        var first = app().get(assets("pages/kit") + "?limit=3", app().admin()).page(Asset.class);
        String cursor = first.meta().nextCursor();

        assertThat(first.data()).extracting(Asset::logicalPath).containsExactly("a", "b.md", "b/x");
        assertThat(paths(assets("pages/kit") + "?limit=3&cursor=" + cursor, app().admin()))
                .containsExactly("c");
        assertThat(app().get(assets("pages/kit") + "?version=1.0.0&cursor=" + cursor, app().admin())
                        .refusal())
                .isIn("400 invalid-cursor", "404 version-not-found");
    }

    @Test
    void anAssetOfAVersionIsFoundByItsIdByThoseWhoMaySeeIt() {
        app().push("runner/kit", "1.0.0", "private", "mine");
        var id = app().get(assets("runner/kit") + "?version=1.0.0", app().admin())
                .list(Asset.class)
                .getFirst()
                .id();
        String stranger = app().secondOrganization("runners");
        String path = "/v1/runner/assets/" + id;

        assertThat(app().get(path, app().key("runner-read", "read"))
                        .as(Asset.class)
                        .contentText())
                .isEqualTo("mine");
        assertThat(get(path, app().admin(), "Accept", "application/octet-stream")
                        .text())
                .isEqualTo("mine");
        assertThat(app().get(path, null).status()).isEqualTo(401);
        var hidden = app().get(path, stranger);
        var missing = app().get("/v1/runner/assets/00000000-0000-7000-8000-000000000000", stranger);
        assertThat(hidden.refusal()).isEqualTo(missing.refusal()).isEqualTo("404 asset-not-found");
        app().get("/v1/runner/assets/nonsense", stranger).assertRefused("404 asset-not-found");
    }

    @Test
    void readerGetsOlderWordForToolset() {
        app().post(bundle("words/kit") + ":push", app().admin(), """
                {"version": "1.0.0", "visibility": "public", "manifest": [
                  {"logicalPath": "t.json", "assetType": "tool_config", "contentText": "{}"}]}""");
        for (String path :
                List.of(":resolve", "/versions/1.0.0", "/versions/1.0.0:pull", "/assets", "/assets/t.json")) {
            var old = get(bundle("words/kit") + path, null, "User-Agent", "mush/1.0");
            var now = get(bundle("words/kit") + path, null, "User-Agent", "other mush/1.0");

            assertThat(old.text()).as(path).contains("\"tool_config\"").doesNotContain("\"toolset\"");
            assertThat(now.text()).as(path).contains("\"toolset\"").doesNotContain("\"tool_config\"");
            assertThat(old.response().headers().allValues("Vary")).contains("User-Agent");
            assertThat(now.response().headers().allValues("Vary")).contains("User-Agent");
        }
        app().push("words/plain", "1.0.0", "public", "x");
        assertThat(app().get(bundle("words/plain") + ":resolve", null)
                        .response()
                        .headers()
                        .allValues("Vary"))
                .as("nothing in it depends on the reader")
                .doesNotContain("User-Agent");
    }
}
