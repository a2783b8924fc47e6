package dev.sheaf.server.bundle.recall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Recalls of indexes, of what they list, and of what refers to a recalled version.
class RecalledIndexTest extends V2Scenario {
    private final AtomicInteger count = new AtomicInteger();

    private String child(String repository, String text) {
        String json = image(repository, utf8(text));
        var digest = Digest.sha256(utf8(json)).toString();
        assertThat(pushManifest(repository, digest, json).status()).isEqualTo(201);
        return descriptor(MediaType.IMAGE_MANIFEST, utf8(json));
    }

    private void index(String repository, String version, String... children) {
        String json = """
                {"schemaVersion":2,"mediaType":"%s","manifests":[%s],"annotations":{"version":"%s"}}""".formatted(MediaType.IMAGE_INDEX, String.join(",", children), version);
        var pushed = call(
                "PUT",
                "/v2/" + repository + "/manifests/" + version,
                utf8(json),
                "Content-Type",
                MediaType.IMAGE_INDEX);
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
    }

    private Reply act(String repository, String verb, String version) {
        String more = verb.equals("recall") ? ", \"severity\": \"high\", \"reason\": \"bad\"" : "";
        var reply = app().post(bundle(repository) + ":" + verb, app().admin(), """
                {"versions": ["%s"]%s}""".formatted(version, more));
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    private int reader(String repository, String descriptor) {
        String digest = descriptor.replaceAll(".*\"digest\":\"([^\"]+)\".*", "$1");
        String key = app().key("reader " + count.incrementAndGet(), "read");
        return app().get("/v2/" + repository + "/manifests/" + digest, key).status();
    }

    private int blob(String repository, String text) {
        String key = app().key("reader " + count.incrementAndGet(), "read");
        return app().get("/v2/" + repository + "/blobs/" + Digest.sha256(utf8(text)), key)
                .status();
    }

    @Test
    void whatOnlyARecalledIndexListsGoesWithIt() {
        String own = child("index/one", "own layer");
        String common = child("index/one", "common layer");
        index("index/one", "1.0.0", common);
        index("index/one", "1.1.0", own, common);

        act("index/one", "recall", "1.1.0");

        assertThat(reader("index/one", own)).isEqualTo(410);
        assertThat(blob("index/one", "own layer")).isEqualTo(410);
        assertThat(reader("index/one", common)).isEqualTo(200);
        assertThat(blob("index/one", "common layer")).isEqualTo(200);
        act("index/one", "unrecall", "1.1.0");
        assertThat(reader("index/one", own)).isEqualTo(200);
    }

    @Test
    void whatTwoRecalledIndexesListComesBackWhenNeitherIsLeft() {
        String common = child("index/two", "two layer");
        index("index/two", "1.0.0", common);
        index("index/two", "2.0.0", common);
        act("index/two", "recall", "1.0.0");
        assertThat(reader("index/two", common)).isEqualTo(200);
        act("index/two", "recall", "2.0.0");
        assertThat(reader("index/two", common)).isEqualTo(410);

        var deleted = app().send("DELETE", bundle("index/two") + "/versions/1.0.0?reason=bad", app().admin(), null);

        assertThat(deleted.status()).as(deleted.text()).isEqualTo(204);
        assertThat(reader("index/two", common)).as("the other one is recalled").isEqualTo(410);
        act("index/two", "unrecall", "2.0.0");
        assertThat(reader("index/two", common)).isEqualTo(200);
        assertThat(blob("index/two", "two layer")).isEqualTo(200);
    }

    @Test
    void aVersionThatRefersToARecalledOneIsNotTaken() {
        String first = image("index/subject", utf8("first subject"));
        assertThat(pushManifest("index/subject", "1.0.0", first).status()).isEqualTo(201);
        String subject = ",\"subject\":" + descriptor(MediaType.IMAGE_MANIFEST, utf8(first)) + "}";
        String second = image("index/subject", utf8("second subject"));
        second = second.substring(0, second.length() - 1) + subject;
        assertThat(pushManifest("index/subject", "1.1.0", second).status()).isEqualTo(201);
        String sbom = image("index/subject", utf8("copy of it"));
        sbom = sbom.substring(0, sbom.length() - 1) + subject;
        String digest = Digest.sha256(utf8(sbom)).toString();
        assertThat(pushManifest("index/subject", digest, sbom).status()).isEqualTo(201);

        act("index/subject", "recall", "1.0.0");

        assertThat(reader("index/subject", descriptor(MediaType.IMAGE_MANIFEST, utf8(second))))
                .isEqualTo(200);
        assertThat(blob("index/subject", "second subject")).isEqualTo(200);
        assertThat(blob("index/subject", "copy of it")).isEqualTo(410);
        assertThat(blob("index/subject", "first subject")).isEqualTo(410);
    }
}
