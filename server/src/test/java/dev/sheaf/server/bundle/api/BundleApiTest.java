package dev.sheaf.server.bundle.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Push, resolve and pull over HTTP (contract 3.1, 3.2, 3.5, 3.6).
class BundleApiTest extends OnEveryStack {
    @Test
    void whatIsPushedIsResolvedAndPulled() {
        var pushed = app().post(bundle("walk/kit") + ":push", app().admin(), """
                {"slug": "kit", "name": "Kit", "description": "For a walk", "visibility": "public", "version": "1.2.0",
                 "readmeContent": "# Kit", "readmeFormat": "markdown", "tags": ["stable"],
                 "manifest": [
                   {"logicalPath": "skills/b/SKILL.md", "assetType": "skill", "contentText": "no newline\\r\\nat end"},
                   {"logicalPath": "a.bin", "assetType": "weird", "contentBase64": "AAEC/w=="},
                   {"logicalPath": "empty", "assetType": "tool", "contentText": ""}]}""");
        assertThat(pushed.status()).isEqualTo(201);
        assertThat(pushed.header("Location")).isEqualTo(bundle("walk/kit") + "/versions/1.2.0");

        var resolved = app().get(bundle("walk/kit") + ":resolve", null).as(Resolution.class);
        var pulled = app().get(bundle("walk/kit") + "/versions/1.2.0:pull?binary=base64", null)
                .json();

        assertThat(resolved.version()).isEqualTo("1.2.0");
        assertThat(resolved.ociDigest())
                .isEqualTo(pushed.as(VersionDetail.class).ociDigest());
        assertThat(resolved.ociRef()).isEqualTo(app().host() + "/walk/kit:1.2.0");
        assertThat(resolved.resolvedBy()).isEqualTo("default");
        assertThat(resolved.tags()).containsExactly("latest", "stable");
        var layers = resolved.manifest().layers();
        assertThat(layers).extracting(Layer::logicalPath).containsExactly("a.bin", "empty", "skills/b/SKILL.md");
        assertThat(layers).extracting(Layer::assetType).containsExactly("other", "toolset", "skill");
        var assets = pulled.get("manifest");
        assertThat(assets.findValuesAsString("contentText")).containsExactly("", "", "no newline\r\nat end");
        assertThat(assets.get(0).get("contentBase64").stringValue()).isEqualTo("AAEC/w==");
        assertThat(assets.get(1).has("contentBase64")).isFalse();
        assertThat(app().get(bundle("walk/kit"), null).as(BundleRecord.class).readmeContent())
                .isEqualTo("# Kit");
    }

    @Test
    void acceptsRepeatedPushAndRejectsOtherContent() {
        var first = app().push("again/kit", "1.0.0", "public", "one");
        var same = app().push("again/kit", "1.0.0", "public", "one");
        var other = app().push("again/kit", "1.0.0", "public", "two");

        assertThat(List.of(first.status(), same.status(), other.status())).containsExactly(201, 200, 409);
        assertThat(same.as(VersionDetail.class).id())
                .isEqualTo(first.as(VersionDetail.class).id());
        assertThat(other.problem().code()).isEqualTo("version-exists");
        assertThat(other.json().get("existing").stringValue())
                .isEqualTo(first.as(VersionDetail.class).ociDigest());
        assertThat(app().get(bundle("again/kit") + "/versions", null).list(VersionSummary.class))
                .hasSize(1);
    }

    @Test
    void versionsThatDifferOnlyInBuildMetadataCannotBothExist() {
        assertThat(app().push("build/kit", "1.0.0+one", "public", "one").status())
                .isEqualTo(201);

        assertThat(app().push("build/kit", "1.0.0+two", "public", "one").status())
                .isEqualTo(409);
        for (String spelled : List.of("1.0.0+one", "1.0.0%2Bone", "1.0.0_one", "1.0.0")) {
            var resolved = app().get(bundle("build/kit") + ":resolve?version=" + spelled, null)
                    .as(Resolution.class);
            assertThat(resolved.version()).as(spelled).isEqualTo("1.0.0+one");
        }
        assertThat(app().get(bundle("build/kit") + ":resolve", null)
                        .as(Resolution.class)
                        .ociRef())
                .endsWith(":1.0.0_one");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''             | 1.10.0       | default
            latest         | 1.10.0       | tag
            1.2.0          | 1.2.0        | version
            2.0.0-rc.1     | 2.0.0-rc.1   | version
            %5E1.2         | 1.10.0       | range
            ~1.2.0         | 1.2.0        | range
            1.x            | 1.10.0       | range
            %3E%3D1%20%3C1.5 | 1.2.0      | range
            1.0.0%20-%201.4.0 | 1.2.0     | range
            %3E%3D2.0.0-0  | 2.0.0-rc.1   | range
            *              | 1.10.0       | range
            """)
    void everySelectorFindsItsVersion(String selector, String version, String by) {
        for (String one : List.of("1.2.0", "1.10.0", "2.0.0-rc.1")) {
            app().push("select/kit", one, "public", one);
        }

        var resolved = app().get(bundle("select/kit") + ":resolve?version=" + selector, null)
                .as(Resolution.class);

        assertThat(resolved.version()).isEqualTo(version);
        assertThat(resolved.resolvedBy()).isEqualTo(by);
    }

    @Test
    void aDigestFindsItsVersionWithAndWithoutItsAlgorithm() {
        String digest = requireNonNull(app().push("digest/kit", "1.0.0", "public", "one")
                .as(VersionDetail.class)
                .ociDigest());
        app().push("digest/kit", "2.0.0", "public", "two");

        for (String query : List.of("digest=" + digest, "digest=" + digest.substring(7), "version=" + digest)) {
            var resolved =
                    app().get(bundle("digest/kit") + ":resolve?" + query, null).as(Resolution.class);
            assertThat(resolved.version()).as(query).isEqualTo("1.0.0");
            assertThat(resolved.resolvedBy()).isEqualTo("digest");
        }
        var both = app().get(bundle("digest/kit") + ":resolve?version=2.0.0&digest=" + digest, null);
        assertThat(both.problem().code()).isEqualTo("version-not-found");
    }

    @Test
    void anUnknownVersionNamesItsNeighbours() {
        app().push("near/kit", "1.2.3", "public", "one");

        var reply = app().get(bundle("near/kit") + ":resolve?version=1.2.4", null);

        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.json().get("requested").stringValue()).isEqualTo("1.2.4");
        assertThat(reply.json().get("candidates").toString()).contains("1.2.3");
    }

    @Test
    void privateBundleLooksMissing() {
        app().push("hidden/secret", "1.0.0", "private", "one");
        String stranger = app().secondOrganization("lookers");

        for (String suffix : List.of("", ":resolve", "/versions", "/versions/1.0.0", "/versions/1.0.0:pull")) {
            var missing = anonymized(app().get(bundle("hidden/nothere") + suffix, null), "nothere");
            assertThat(anonymized(app().get(bundle("hidden/secret") + suffix, null), "secret"))
                    .isEqualTo(missing);
            var foreign = anonymized(app().get(bundle("hidden/nothere") + suffix, stranger), "nothere");
            assertThat(anonymized(app().get(bundle("hidden/secret") + suffix, stranger), "secret"))
                    .isEqualTo(foreign);
            assertThat(missing).contains("401");
            assertThat(foreign).contains("404");
        }
    }

    /// Status, headers and body without what differs by the request itself.
    private static String anonymized(Reply reply, String name) {
        var headers = reply.response().headers().map().entrySet().stream()
                .filter(header -> !List.of("date", "x-request-id", "x-trace-id", "content-length")
                        .contains(header.getKey()))
                .toList();
        return reply.status() + " " + headers
                + reply.text().replace(name, "NAME").replaceAll("\"requestId\":\"[^\"]*\"", "");
    }

    @Test
    void aStrangerReadsWhatIsPublicAndCannotWriteThere() {
        app().push("open/kit", "1.0.0", "public", "one");
        String stranger = app().secondOrganization("readers");

        var read = app().get(bundle("open/kit") + ":resolve", stranger);
        var write = app().post(bundle("open/kit") + ":push", stranger, """
                {"name": "Kit", "visibility": "public", "version": "6.6.6",
                 "manifest": [{"logicalPath": "a", "assetType": "other", "contentText": "x"}]}""");

        assertThat(read.status()).isEqualTo(200);
        assertThat(read.header("Cache-Control")).startsWith("private");
        write.assertRefused("403 not-owner");
        assertThat(write.text()).doesNotContain("private", "visibility");
    }

    @Test
    void aPushThatSaysPrivateNeverLandsInAPublicBundle() {
        app().push("promise/kit", "1.0.0", "public", "one");

        var refused = app().push("promise/kit", "2.0.0", "private", "two");

        assertThat(refused.status()).isEqualTo(403);
        assertThat(app().get(bundle("promise/kit") + ":resolve", null)
                        .as(Resolution.class)
                        .version())
                .isEqualTo("1.0.0");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"version": "1.0.0", "manifest": [{"logicalPath": "../x", "contentText": ""}]}       | /manifest/0/logicalPath
            {"version": "1.0.0", "manifest": [{"logicalPath": "/x", "contentText": ""}]}         | /manifest/0/logicalPath
            {"version": "1.0.0", "manifest": [{"contentText": ""}]}                              | /manifest/0/logicalPath
            {"version": "1.0.0", "manifest": [{"logicalPath": "x"}]}                             | /manifest/0/contentText
            {"version": "1.0.0", "manifest": [{"logicalPath": "x", "contentBase64": "?"}]}       | /manifest/0/contentBase64
            {"version": "1.0.0", "manifest": [{"logicalPath": "x", "contentText": "a", "contentBase64": "YQ=="}]} | /manifest/0/contentBase64
            {"version": "1.0.0", "manifest": [{"logicalPath": "x", "contentText": "a", "contentSha256": "00"}]}   | /manifest/0/contentSha256
            {"version": "1.0.0", "manifest": [{"logicalPath": "x", "contentText": "a", "mediaType": "text"}]}     | /manifest/0/mediaType
            {"version": "1.0.0", "manifest": [{"logicalPath": "x", "contentText": "\\ud800"}]}   | /manifest/0/contentText
            {"version": "1.0.0", "manifest": [{"logicalPath": "x", "contentText": ""}, {"logicalPath": "X", "contentText": ""}]} | /manifest/0
            {"version": "1.0.0", "manifest": []}                                                 | /manifest
            {"version": "1.0.0"}                                                                 | /manifest
            {"version": "1.0", "manifest": [{"logicalPath": "x", "contentText": ""}]}            | /version
            {"manifest": [{"logicalPath": "x", "contentText": ""}]}                              | /version
            {"version": "1.0.0", "visibility": "secret", "manifest": [{"logicalPath": "x", "contentText": ""}]}   | /visibility
            {"version": "1.0.0", "name": "a\\u0000b", "manifest": [{"logicalPath": "x", "contentText": ""}]}      | /name
            {"version": "1.0.0", "slug": "other", "manifest": [{"logicalPath": "x", "contentText": ""}]}          | /slug
            {"version": "1.0.0", "tags": ["2.x"], "manifest": [{"logicalPath": "x", "contentText": ""}]}          | /tags/0
            """)
    void rejectsWrongMemberOfPushByNameAndStoresNothing(String body, String pointer) {
        var reply = app().post(bundle("wrong/kit") + ":push", app().admin(), body);

        assertThat(reply.status()).as(reply.text()).isEqualTo(422);
        assertThat(reply.problem().errors().getFirst().field()).isEqualTo(pointer);
        assertThat(app().get(bundle("wrong/kit"), app().admin()).status()).isEqualTo(404);
    }

    @Test
    void aReadmeIsMeasuredInBytes() {
        String push = """
                {"version": "1.0.0", "readmeContent": "%s", "manifest": [{"logicalPath": "x", "contentText": ""}]}""";

        var most = app().post(bundle("readme/most") + ":push", app().admin(), push.formatted("x".repeat(512 << 10)));
        var more =
                app().post(bundle("readme/more") + ":push", app().admin(), push.formatted("é".repeat((256 << 10) + 1)));

        assertThat(most.status()).as(most.text()).isEqualTo(201);
        assertThat(more.status()).isEqualTo(422);
        assertThat(more.problem().errors().getFirst().field()).isEqualTo("/readmeContent");
    }

    @Test
    void aRefusedRepetitionSaysWhatDiffers() {
        String push = """
                {"version": "1.0.0", "name": "%s", "description": "%s", "manifest": [
                  {"logicalPath": "a.md", "contentText": "%s"}, {"logicalPath": "b.md", "contentText": "b"}]}""";
        String path = bundle("differs/kit") + ":push";
        app().post(path, app().admin(), push.formatted("Kit", "One", "a"));

        var described = app().post(path, app().admin(), push.formatted("Kit", "Two", "a"));
        var named = app().post(path, app().admin(), push.formatted("Kid", "One", "a"));
        var changed = app().post(path, app().admin(), push.formatted("Kit", "One", "c"));

        assertThat(List.of(described.status(), named.status(), changed.status()))
                .containsOnly(409);
        for (var reply : List.of(described, named)) {
            assertThat(reply.problem().detail())
                    .contains(
                            "the files are the same, but the name or the description of the bundle, or what it requires, is not");
        }
        assertThat(changed.json().get("differs").stringValue()).isEqualTo("the file a.md differs");
    }

    @Test
    void aVersionThatSimpleProgramsCannotPullHasAWarning() {
        var reply = app().post(bundle("warn/binary") + ":push", app().admin(), """
                {"version": "1.0.0", "manifest": [{"logicalPath": "data.bin", "contentBase64": "AAH/"}]}""");

        assertThat(reply.status()).isEqualTo(201);
        assertThat(requireNonNull(reply.as(VersionDetail.class).warnings())
                        .getFirst()
                        .code())
                .isEqualTo("binary");
        assertThat(requireNonNull(reply.as(VersionDetail.class).warnings())
                        .getFirst()
                        .logicalPath())
                .isEqualTo("data.bin");
        assertThat(app().get(bundle("warn/binary") + "/versions/1.0.0:pull", app().admin())
                        .status())
                .isEqualTo(409);
    }

    @Test
    void textThatMayBeABrokenBinaryIsKeptWithAWarning() {
        var reply = app().post(bundle("warn/kit") + ":push", app().admin(), """
                {"version": "1.0.0", "manifest": [
                  {"logicalPath": "img.png", "assetType": "other", "contentText": "\\ufffdPNG\\u0000"}]}""");

        assertThat(reply.status()).isEqualTo(201);
        assertThat(reply.as(VersionDetail.class).warnings())
                .extracting(VersionDetail.Warning::code)
                .containsExactly("media-type-mismatch", "replacement-character", "nul-character");
    }

    @Test
    void sixteenFirstPushesAtOnceAllSucceed() throws Exception {
        var start = new CountDownLatch(1);
        var pushes = new ArrayList<Future<Reply>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 16; i++) {
                String name = "rush/kit-" + i % 4;
                String version = "1." + i + ".0";
                Callable<Reply> push = () -> {
                    start.await();
                    return app().push(name, version, "public", version);
                };
                pushes.add(threads.submit(push));
            }
            start.countDown();
        }

        for (var push : pushes) {
            assertThat(push.get().status()).as(push.get().text()).isEqualTo(201);
        }
        for (int bundle = 0; bundle < 4; bundle++) {
            var resolved =
                    app().get(bundle("rush/kit-" + bundle) + ":resolve", null).as(Resolution.class);
            assertThat(resolved.version()).isEqualTo("1." + (12 + bundle) + ".0");
            assertThat(app().get(bundle("rush/kit-" + bundle) + "/versions", null)
                            .list(VersionSummary.class))
                    .hasSize(4);
        }
    }

    @Test
    void ofConcurrentPushesOfOneVersionOneWins() throws Exception {
        app().push("race/kit", "0.1.0", "public", "zero");
        var pushes = new ArrayList<Future<Reply>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) {
                String text = "content " + i;
                pushes.add(threads.submit(() -> app().push("race/kit", "1.0.0", "public", text)));
            }
        }
        var statuses = new ArrayList<Integer>();
        for (var push : pushes) {
            statuses.add(push.get().status());
        }

        assertThat(statuses).containsOnlyOnce(201);
        assertThat(statuses).filteredOn(status -> status == 409).hasSize(7);
    }

    @Test
    void answers304ForUnchangedRead() {
        app().push("etag/kit", "1.0.0", "public", "one");
        var first = app().get(bundle("etag/kit") + ":resolve", null);

        var second = app().send(app().request("GET", bundle("etag/kit") + ":resolve", null, null)
                .header("If-None-Match", first.header("ETag")));
        app().push("etag/kit", "1.1.0", "public", "two");
        var third = app().send(app().request("GET", bundle("etag/kit") + ":resolve", null, null)
                .header("If-None-Match", first.header("ETag")));

        assertThat(first.header("Cache-Control")).isEqualTo("public, max-age=30");
        assertThat(second.status()).isEqualTo(304);
        assertThat(second.text()).isEmpty();
        assertThat(third.status()).isEqualTo(200);
        assertThat(third.as(Resolution.class).version()).isEqualTo("1.1.0");
    }
}
