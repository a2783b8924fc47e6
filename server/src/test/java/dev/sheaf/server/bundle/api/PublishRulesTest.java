package dev.sheaf.server.bundle.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.PublishReport;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules of publishing are the same by every way: a push, a bundle as it is being edited, an OCI manifest under a
/// version's tag, and `validateOnly`, which says what a publish would.
class PublishRulesTest extends V2Scenario {
    private static final int MAX_ASSET = 2_000;

    @Override
    public Map<String, String> settings() {
        return Map.of("max-asset-bytes", "" + MAX_ASSET, "max-bundle-bytes", "5000");
    }

    private Reply push(String repository, String rest, String... paths) {
        var assets = new ArrayList<String>();
        for (String path : paths) {
            assets.add("{\"logicalPath\": \"" + path + "\", \"contentText\": \"x\"}");
        }
        return app().post(
                        bundle(repository) + ":push",
                        app().admin(),
                        "{\"version\": \"1.0.0\"," + rest + " \"manifest\": [" + String.join(",", assets) + "]}");
    }

    private Reply put(String repository, String path, byte[] content) {
        return call("PUT", bundle(repository) + "/assets/" + path, content);
    }

    private void create(String repository) {
        var parts = repository.split("/");
        app().post(
                        "/v1/namespaces/" + parts[0] + "/bundles",
                        app().admin(),
                        "{\"slug\": \"" + parts[1] + "\", \"name\": \"Kit\"}");
    }

    private Reply publish(String repository, String rest) {
        return app().post(bundle(repository) + ":publish", app().admin(), "{\"version\": \"1.0.0\"" + rest + "}");
    }

    /// A manifest with layers of these titles.
    private Reply manifest(String repository, String tag, String... titles) {
        byte[] config = utf8("{}");
        byte[] layer = utf8("x");
        pushBlob(repository, config);
        pushBlob(repository, layer);
        var layers = new ArrayList<String>();
        for (String title : titles) {
            layers.add(descriptor("text/plain", layer)
                    .replace("}", ",\"annotations\":{\"org.opencontainers.image.title\":\"" + title + "\"}}"));
        }
        return pushManifest(repository, tag, """
                {"schemaVersion":2,"mediaType":"%s","artifactType":"application/x-test","config":%s,"layers":[%s]}""".formatted(
                        MediaType.IMAGE_MANIFEST,
                        descriptor("application/vnd.oci.empty.v1+json", config),
                        String.join(",", layers)));
    }

    @ParameterizedTest
    @CsvSource({"a, a/b", "Ab, aB", "x/y/z, x/Y"})
    void pathsThatClashAreRefusedByEveryWay(String one, String other) {
        String name = "clash/" + Digest.sha256(utf8(one)).hex().substring(0, 8);
        create(name);

        var pushed = push(name, "", one, other);
        var manifest = manifest(name, "1.0.0", one, other);
        put(name, one, utf8("x"));
        var put = put(name, other, utf8("x"));

        assertThat(pushed.status()).as(pushed.text()).isEqualTo(422);
        assertThat(pushed.problem().errors().getFirst().pointer()).startsWith("/manifest/");
        assertRefused(manifest, 400, "MANIFEST_INVALID");
        assertThat(manifest.text()).contains("clashes with");
        assertThat(put.status()).as(put.text()).isEqualTo(422);
        assertThat(publish(name, ", \"validateOnly\": true")
                        .as(PublishReport.class)
                        .valid())
                .isTrue();
        assertThat(manifest(name, "word", one, other).status()).as("no version").isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../evil", "/abs", "e\u0301.md", "a/.git/config", "a:b", "C:\\\\x", "", "a//b", "con"})
    void titlesThatAreNoPathsAreRefusedUnderTheTagOfAVersion(String title) {
        var refused = manifest("titles/odd", "1.0.0", "good.md", title);

        assertRefused(refused, 400, "MANIFEST_INVALID");
        assertThat(refused.json().at("/errors/0/message").stringValue())
                .contains("/layers/1")
                .contains("the path");
        assertThat(manifest("titles/odd", "word", "good.md", title).status()).isEqualTo(201);
        assertThat(app().get(bundle("titles/odd") + ":resolve?version=1.0.0", app().admin())
                        .status())
                .isEqualTo(404);
    }

    @Test
    void theSameTitleTwiceIsRefused() {
        var refused = manifest("titles/twice", "1.0.0", "a.md", "b.md", "a.md");

        assertRefused(refused, 400, "MANIFEST_INVALID");
        assertThat(refused.text()).contains("a.md").contains("appears twice");
    }

    @Test
    void theSizeOfAnAssetCountsInABundleAndNotInAnImage() {
        String repository = "size/image";

        var image = pushManifest(repository, "3.2.1", image(repository, new byte[MAX_ASSET + 1], new byte[9_000]));
        create("size/kit");
        var put = put("size/kit", "big", new byte[MAX_ASSET + 1]);

        assertThat(image.status()).as(image.text()).isEqualTo(201);
        assertThat(put.status()).isEqualTo(413);
    }

    private void quota(String handle, String body) {
        assertThat(app().send("PATCH", "/v1/admin/organizations/" + handle + "/quota", app().admin(), body)
                        .status())
                .isEqualTo(200);
    }

    private static List<String> codes(PublishReport report) {
        return report.problems().stream().map(PublishReport.Finding::code).toList();
    }

    @Test
    void validateOnlyKnowsTheQuota() {
        create("room/kit");
        put("room/kit", "a.md", utf8("x"));
        for (String quota : List.of("{\"versions\": 1}", "{\"bytes\": 10}")) {
            push("room/other", "", "a.md");
            quota("default", quota);
            try {
                var report = publish("room/kit", ", \"validateOnly\": true").as(PublishReport.class);
                var published = publish("room/kit", "");

                assertThat(published.status()).as(published.text()).isIn(413, 507);
                assertThat(report.valid()).as(quota).isFalse();
                assertThat(codes(report)).containsExactly(published.problem().code());
                assertThat(report.problems().getFirst().detail())
                        .isEqualTo(published.problem().detail());
            } finally {
                quota("default", "{\"versions\": null, \"bytes\": null}");
            }
        }
        assertThat(publish("room/kit", ", \"validateOnly\": true")
                        .as(PublishReport.class)
                        .valid())
                .isTrue();
        assertThat(publish("room/kit", "").status()).isEqualTo(201);
    }

    @Test
    void aPublicBundleTakesNoPrivatePushAndAPrivateOneStaysPrivate() {
        push("seen/open", " \"visibility\": \"public\",", "a.md");
        push("seen/shut", " \"visibility\": \"private\",", "a.md");

        var refused = push("seen/open", " \"visibility\": \"private\", \"tags\": [\"t\"],", "b.md");
        var shut = app().post(bundle("seen/shut") + ":push", app().admin(), """
                {"version": "1.1.0", "visibility": "public", "manifest": [{"logicalPath": "a.md", "contentText": "y"}]}""");

        refused.assertRefused("403 visibility-mismatch");
        assertThat(refused.problem().detail()).contains("visibility");
        assertThat(app().get(bundle("seen/open") + "/tags/t", app().admin()).status())
                .isEqualTo(404);
        assertThat(shut.status()).isEqualTo(201);
        assertThat(requireNonNull(shut.as(VersionDetail.class).warnings())
                        .getFirst()
                        .code())
                .isEqualTo("visibility");
        assertThat(app().get(bundle("seen/shut"), app().admin())
                        .as(BundleRecord.class)
                        .visibility())
                .isEqualTo("private");
    }

    @Test
    void aPushIntoANamespaceThatIsSeenToBeAnothersSaysSo() {
        push("theirs/open", " \"visibility\": \"public\",", "a.md");
        push("theirs/shut", "", "a.md");
        push("hidden/shut", "", "a.md");
        String stranger = app().secondOrganization("pushes-elsewhere");
        String body = "{\"version\": \"1.0.0\", \"manifest\": [{\"logicalPath\": \"a\", \"contentText\": \"x\"}]}";

        for (String name : List.of("theirs/new", "theirs/shut")) {
            var refused = app().post(bundle(name) + ":push", stranger, body);
            refused.assertRefused("404 bundle-not-found");
            assertThat(refused.problem().detail()).contains("the namespace theirs belongs to another organization");
        }
        for (String name : List.of("hidden/new", "hidden/shut")) {
            assertThat(app().post(bundle(name) + ":push", stranger, body)
                            .problem()
                            .detail())
                    .doesNotContain("belongs");
        }
    }
}
