package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.V2Scenario;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What clients see of damage, and how their pushes heal it.
class DamageTest extends V2Scenario {
    /// Cuts every object of the digest in half.
    private void truncate(Digest digest) throws IOException {
        var stored = app().stored();
        for (String name : app().stored(digest)) {
            var bytes = stored.read(name);
            stored.overwrite(name, Arrays.copyOf(bytes, bytes.length / 2));
        }
    }

    private int head(String path) {
        return call("HEAD", path, null).status();
    }

    private List<String> events(String type, String about) {
        return app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT data FROM event WHERE type = :type AND subject LIKE '%' || :about || '%'")
                        .bind("type", type)
                        .bind("about", about)
                        .mapTo(String.class)
                        .list());
    }

    @Test
    void aTruncatedBlobIsNotThereUntilItIsPushedAgain() throws IOException {
        var bytes = random(100_000);
        var digest = pushBlob("damage/blobs", bytes);
        pushBlob("damage/others", bytes);
        truncate(digest);

        assertThat(head("/v2/damage/blobs/blobs/" + digest)).isEqualTo(404);
        assertThat(head("/v2/damage/others/blobs/" + digest)).isEqualTo(404);
        var mount = call("POST", "/v2/damage/more/blobs/uploads/?mount=" + digest + "&from=damage/blobs", null);
        assertThat(mount.status()).as("an upload instead of a mount").isEqualTo(202);
        assertThat(events("blob.damaged", digest.hex()))
                .singleElement()
                .asString()
                .contains("damage/blobs", "damage/others", "\"repositoryCount\":2");

        pushBlob("damage/others", bytes);

        var got = call("GET", "/v2/damage/blobs/blobs/" + digest, null);
        assertThat(got.response().body()).as("seed %d", seed).isEqualTo(bytes);
        assertThat(events("blob.healed", digest.hex())).hasSize(1);
    }

    @Test
    void theSamePushAgainHealsABundle() throws IOException {
        String large = "x".repeat(50_000);
        var digest = Digest.sha256(utf8(large));
        var pushed = app().push("damage/kit", "1.0.0", "private", large);
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        String manifest = pushed.json().at("/ociDigest").stringValue();
        truncate(digest);
        app().database()
                .write(tx ->
                        tx.handle().createUpdate("""
                        UPDATE manifest_content SET content = content || content
                        WHERE manifest_id = (SELECT id FROM manifest WHERE digest = :digest)
                        """).bind("digest", manifest).execute());
        String versions = "/v1/namespaces/damage/bundles/kit/versions/1.0.0:pull";
        assertThat(app().get(versions, app().admin()).status()).isEqualTo(404);
        assertThat(head("/v2/damage/kit/manifests/1.0.0")).isEqualTo(404);
        assertThat(head("/v2/damage/kit/manifests/" + manifest)).isEqualTo(404);

        assertThat(app().push("damage/kit", "1.0.0", "private", large).status()).isEqualTo(200);

        assertThat(app().get(versions, app().admin())
                        .json()
                        .at("/manifest/0/contentText")
                        .stringValue())
                .isEqualTo(large);
        assertThat(call("GET", "/v2/damage/kit/manifests/1.0.0", null).status()).isEqualTo(200);
        assertThat(Digest.sha256(call("GET", "/v2/damage/kit/manifests/" + manifest, null)
                        .response()
                        .body()))
                .hasToString(manifest);
        assertThat(events("manifest.damaged", manifest)).hasSize(1);
        assertThat(events("manifest.healed", manifest)).hasSize(1);
    }

    @Test
    void aPushOfTheManifestHealsIt() {
        String image = image("damage/images", random(10));
        assertThat(pushManifest("damage/images", "stable", image).status()).isEqualTo(201);
        var digest = Digest.sha256(utf8(image));
        app().database()
                .write(tx ->
                        tx.handle().createUpdate("""
                        DELETE FROM manifest_content
                        WHERE manifest_id IN (SELECT id FROM manifest WHERE digest = :digest)
                        """).bind("digest", digest).execute());
        assertRefused(call("GET", "/v2/damage/images/manifests/stable", null), 404, "MANIFEST_UNKNOWN");

        assertThat(pushManifest("damage/images", "stable", image).status()).isEqualTo(201);

        assertThat(call("GET", "/v2/damage/images/manifests/stable", null).text())
                .isEqualTo(image);
    }
}
