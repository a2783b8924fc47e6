package dev.sheaf.server.bundle.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.model.wire.bundle.ContentStatus;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Why content is kept, or when it goes.
class ContentsApiTest extends V2Scenario {
    private Reply status(String repository, Digest digest, @Nullable String key) {
        return app().get("/v1/namespaces/" + repository.replace("/", "/bundles/") + "/contents/" + digest, key);
    }

    private Reply status(String repository, Digest digest) {
        var reply = status(repository, digest, app().admin());
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    private static List<String> codes(Reply reply) {
        var codes = new ArrayList<String>();
        reply.as(ContentStatus.class).reasons().forEach(reason -> codes.add(reason.code()));
        return codes;
    }

    private Digest pushed(String repository, String reference, String json) {
        var reply = pushManifest(repository, reference, json);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return Digest.parse(reply.header("Docker-Content-Digest"));
    }

    private static Instant goesAt(Reply reply) {
        return requireNonNull(reply.as(ContentStatus.class).goesAt());
    }

    @Test
    void aVersionAndATagKeepAManifestAndItKeepsItsBlobs() {
        String repository = "contents/kept";
        var bytes = random(100_000);
        String json = image(repository, bytes);
        var digest = pushed(repository, "1.0.0", json);
        pushed(repository, "word", json);

        var manifest = status(repository, digest);

        assertThat(manifest.as(ContentStatus.class).kind()).isEqualTo("manifest");
        assertThat(manifest.as(ContentStatus.class).kept()).isTrue();
        assertThat(manifest.as(ContentStatus.class).goesAt()).isNull();
        assertThat(codes(manifest)).containsExactly("version", "tag", "tag", "tag", "lease");
        assertThat(manifest.text()).contains("it is version 1.0.0").contains("the tag word points to it");
        var blob = status(repository, Digest.sha256(bytes));
        assertThat(blob.as(ContentStatus.class).kind()).isEqualTo("blob");
        assertThat(codes(blob)).containsExactly("manifest", "lease");
        assertThat(blob.text()).contains("the manifest " + digest + " refers to it");
    }

    @Test
    void unneededContentShowsWhenItIsDeleted() {
        String repository = "contents/gone";
        var bytes = random(110_000);
        var digest = pushed(repository, "word", image(repository, bytes));
        var blob = Digest.sha256(bytes);
        pass(Duration.ofHours(25));
        call("DELETE", "/v2/" + repository + "/manifests/word", null);
        var untagged = status(repository, digest);
        assertThat(codes(untagged)).containsExactly("untagged");
        assertThat(untagged.as(ContentStatus.class).kept()).isTrue();

        call("DELETE", "/v2/" + repository + "/manifests/" + digest, null);

        var due = status(repository, blob);
        assertThat(due.as(ContentStatus.class).kept()).isFalse();
        assertThat(codes(due)).containsExactly("unneeded");
        assertThat(goesAt(due)).isBefore(app().database().now());
        var run = app().post("/v1/admin/tasks", app().admin(), "{\"task\": \"gc\"}");
        assertThat(run.status()).as(run.text()).isEqualTo(201);
        var ended = app().ended(run.as(TaskRecord.class).id().toString()).as(TaskRecord.class);
        assertThat(ended.state()).as(ended.error()).isEqualTo("succeeded");
        var deleted = status(repository, blob);
        assertThat(deleted.as(ContentStatus.class).kind()).isEqualTo("deleted");
        assertThat(deleted.text()).contains("no manifest of the repository refers to it");
        assertThat(goesAt(deleted)).isAfter(app().database().now());
        assertThat(status("contents/kept2", blob, app().admin()).status()).isEqualTo(404);
        assertThat(status(repository, digest, app().admin()).status()).isEqualTo(404);
    }

    @Test
    void workingAssetsKeepTheirContent() {
        String repository = "contents/edited";
        var bytes = random(120_000);
        pushed(repository, "1.0.0", image(repository, random(5)));
        assertThat(call("PUT", "/v1/namespaces/contents/bundles/edited/assets/docs/a.bin", bytes)
                        .status())
                .isEqualTo(201);
        pass(Duration.ofHours(25));

        var blob = status(repository, Digest.sha256(bytes));

        assertThat(blob.as(ContentStatus.class).kept()).isTrue();
        assertThat(codes(blob)).containsExactly("asset");
        assertThat(blob.as(ContentStatus.class).reasons().getFirst().name()).isEqualTo("docs/a.bin");
        assertThat(blob.as(ContentStatus.class).goesAt()).isNull();
    }

    @Test
    void strangersGetNoContentStatus() {
        String repository = "contents/public";
        var text = app().push(repository, "1.0.0", "public", "hello");
        assertThat(text.status()).as(text.text()).isEqualTo(201);
        var digest = Digest.parse(requireNonNull(text.as(VersionDetail.class).ociDigest()));
        var other = app().secondOrganization("contents-other-" + System.nanoTime());

        assertThat(status(repository, digest).as(ContentStatus.class).kept()).isTrue();
        assertThat(status(repository, digest, other).status()).isEqualTo(404);
        assertThat(status(repository, digest, null).status()).isEqualTo(401);
        assertThat(status(repository, Digest.sha256(new byte[] {9, 9}), app().admin())
                        .status())
                .isEqualTo(404);
        assertThat(app().get("/v1/namespaces/contents/bundles/public/contents/sha256:abc", app().admin())
                        .status())
                .isIn(400, 422);
    }
}
