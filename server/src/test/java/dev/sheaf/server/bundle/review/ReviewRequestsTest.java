package dev.sheaf.server.bundle.review;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.bundle.ReviewRecord;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.testing.AssetScenario;
import dev.sheaf.server.testing.Reply;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Versions of before a policy: their review, and what it means for a bundle that becomes public.
class ReviewRequestsTest extends AssetScenario {
    private String reviewer = "";
    private String publisher = "";

    @Override
    public void prepare() {
        app().person("owner@requests.test", "default", "owner");
        reviewer = app().person("reviewer@requests.test", "default", "admin");
        publisher = app().person("publisher@requests.test", "default", "publisher");
    }

    private void reviewed(String repository) {
        var set = app().send("PUT", bundle(repository) + "/policy", app().admin(), "{\"review\": {}}");
        assertThat(set.status()).as(set.text()).isEqualTo(200);
    }

    private Reply push(String repository, String version, String visibility, String text) {
        return app().post(bundle(repository) + ":push", publisher, """
                {"name": "Kit", "visibility": "%s", "version": "%s",
                 "manifest": [{"logicalPath": "SKILL.md", "contentText": "%s"}]}""".formatted(visibility, version, text));
    }

    private Reply request(String repository, String version, String key) {
        return app().post(bundle(repository) + "/versions/" + version + ":request-review", key, "{}");
    }

    private ReviewRecord requested(String repository, String version) {
        var reply = request(repository, version, publisher);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.as(ReviewRecord.class);
    }

    private Reply decide(String verb, String key, ReviewRecord seen) {
        return app().post(
                        bundle(seen.namespace() + "/" + seen.bundle()) + "/versions/" + seen.version() + ":" + verb,
                        key,
                        "{\"digest\": \"%s\", \"round\": %d, \"reason\": \"words\"}"
                                .formatted(seen.digest(), seen.round()));
    }

    private VersionDetail version(String repository, String version, @Nullable String key) {
        return app().get(bundle(repository) + "/versions/" + version, key).as(VersionDetail.class);
    }

    private Reply makePublic(String repository) {
        return app().send("PATCH", bundle(repository), app().admin(), "{\"visibility\": \"public\"}");
    }

    private String pushed(String repository, String manifest) {
        byte[] bytes = manifest.getBytes(StandardCharsets.UTF_8);
        String digest = Digest.sha256(bytes).toString();
        var reply = put(
                "/v2/" + repository + "/manifests/" + digest,
                bytes,
                "Content-Type",
                "application/vnd.oci.image.manifest.v1+json");
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return digest;
    }

    @Test
    void aVersionOfBeforeIsReviewedWhileReadersHaveIt() {
        push("asked/kit", "1.0.0", "public", "words");
        reviewed("asked/kit");

        request("asked/kit", "1.0.0", app().key("asked-reader", "read")).assertRefused("403");
        request("asked/kit", "1.0.0", app().secondOrganization("askers")).assertRefused("403 not-owner");
        var waits = requested("asked/kit", "1.0.0");
        assertThat(waits.ofPublished()).isTrue();
        assertThat(waits.state()).isEqualTo("held");
        assertThat(waits.files()).isEqualTo(1);
        assertThat(requested("asked/kit", "1.0.0").id()).isEqualTo(waits.id());
        assertThat(app().get("/v1/organizations/default/reviews?state=held", reviewer)
                        .text())
                .contains(waits.id().toString());
        assertThat(app().get(bundle("asked/kit") + "/versions/1.0.0/review:diff", reviewer)
                        .text())
                .contains("SKILL.md");
        assertThat(version("asked/kit", "1.0.0", null).approvedBy()).isNull();

        decide("approve", publisher, waits).assertRefused("403 forbidden");
        var done = decide("approve", reviewer, waits).as(ReviewRecord.class);

        assertThat(done.state()).isEqualTo("published");
        var version = version("asked/kit", "1.0.0", app().admin());
        assertThat(requireNonNull(version.approvedBy())).hasSize(1);
        assertThat(version.heldAt()).as("it did not wait").isNull();
        request("asked/kit", "1.0.0", publisher).assertRefused("409 conflict");
    }

    @Test
    void aRejectionTakesNothingFromReaders() {
        push("kept/kit", "1.0.0", "public", "words");
        reviewed("kept/kit");

        var done = decide("reject", reviewer, requested("kept/kit", "1.0.0")).as(ReviewRecord.class);

        assertThat(done.state()).isEqualTo("rejected");
        assertThat(version("kept/kit", "1.0.0", null).state()).isEqualTo("published");
        assertThat(app().get("/v2/kept/kit/manifests/1.0.0", null).status()).isEqualTo(200);
        var again = requested("kept/kit", "1.0.0");
        assertThat(again.round()).isEqualTo(2);
        app().post(bundle("kept/kit") + "/versions/1.0.0:withdraw", publisher, "{}");
        assertThat(version("kept/kit", "1.0.0", null).approvedBy()).isNull();
    }

    @Test
    void whatNobodyCanReviewIsRefused() {
        push("odd/kit", "1.0.0", "public", "words");
        push("odd/kit", "1.1.0", "public", "more words");
        request("odd/kit", "1.0.0", publisher).assertRefused("409 conflict"); // no policy says who
        reviewed("odd/kit");
        push("odd/kit", "2.0.0", "public", "new words");

        request("odd/kit", "2.0.0", publisher).assertRefused("404 version-not-found");
        request("odd/kit", "9.9.9", publisher).assertRefused("404 version-not-found");
        request("odd/nothing", "1.0.0", publisher).assertRefused("404 bundle-not-found");
        requested("odd/kit", "1.0.0");
        app().post(
                        bundle("odd/kit") + ":recall",
                        app().admin(),
                        "{\"versions\": [\"1.0.0\"], \"reason\": \"bad\", \"severity\": \"high\"}");
        assertThat(app().get(bundle("odd/kit") + "/versions/1.0.0/review", reviewer)
                        .as(ReviewRecord.class)
                        .state())
                .isEqualTo("withdrawn");
        request("odd/kit", "1.0.0", publisher).assertRefused("409 conflict");
        requested("odd/kit", "1.1.0");
        app().send("DELETE", bundle("odd/kit") + "/versions/1.1.0", app().admin(), null);
        assertThat(app().get(bundle("odd/kit") + "/versions/1.1.0/review", reviewer)
                        .as(ReviewRecord.class)
                        .state())
                .isEqualTo("withdrawn");
    }

    @Test
    void whatNobodyApprovedDoesNotBecomePublic() {
        push("inner/kit", "1.0.0", "private", "inner words");
        push("inner/kit", "1.1.0", "private", "more inner words");
        String manifest =
                app().get("/v2/inner/kit/manifests/1.0.0", app().admin()).text().replaceFirst("\\{", "{ ");
        String digest = pushed("inner/kit", manifest);
        String other = pushed("inner/kit", manifest.replace("vnd.sheaf.bundle.v1", "vnd.example.sbom"));
        String statement = pushed(
                "inner/kit",
                manifest.replace("vnd.sheaf.bundle.v1", "vnd.example.sbom")
                        .replaceFirst(
                                "}$",
                                ",\"subject\":{\"mediaType\":\"application/vnd.oci.image.manifest.v1+json\","
                                        + "\"digest\":\"%s\",\"size\":%d}}"
                                                .formatted(
                                                        version("inner/kit", "1.0.0", app().admin())
                                                                .ociDigest(),
                                                        manifest.length() - 1)));
        reviewed("inner/kit");
        String reader = app().key("inner-reader", "read");
        assertThat(app().get("/v2/inner/kit/manifests/" + digest, reader).status())
                .isEqualTo(200);

        var refused = makePublic("inner/kit");

        refused.assertRefused("409 needs-review");
        assertThat(refused.text()).contains("1.0.0", "1.1.0", "\"count\":2");
        assertThat(version("inner/kit", "1.0.0", reader).version()).isEqualTo("1.0.0");
        app().get(bundle("inner/kit"), null).assertRefused("401");
        decide("approve", reviewer, requested("inner/kit", "1.0.0"));
        makePublic("inner/kit").assertRefused("409 needs-review");
        decide("approve", reviewer, requested("inner/kit", "1.1.0"));
        var done = makePublic("inner/kit");

        assertThat(done.status()).as(done.text()).isEqualTo(200);
        assertThat(version("inner/kit", "1.0.0", null).version()).isEqualTo("1.0.0");
        assertThat(app().get("/v2/inner/kit/manifests/1.1.0", null).status()).isEqualTo(200);
        assertThat(app().get("/v2/inner/kit/manifests/" + digest, null).status())
                .as("a manifest of before that is no version")
                .isEqualTo(404);
        assertThat(app().get("/v2/inner/kit/manifests/" + digest, reader).status())
                .isEqualTo(404);
        assertThat(app().get("/v2/inner/kit/manifests/" + other, null).status()).isEqualTo(404);
        assertThat(app().get("/v2/inner/kit/manifests/" + statement, null).status())
                .as("a statement about a version")
                .isEqualTo(200);
        assertThat(app().get("/v2/inner/kit/manifests/" + digest, app().admin()).status())
                .isEqualTo(200);
    }
}
