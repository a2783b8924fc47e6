package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Layers that are larger than an asset of a bundle may be: welcome in images, under version tags too.
class V2LargeLayersTest extends V2Scenario {
    @Override
    public Map<String, String> settings() {
        return Map.of("max-asset-bytes", "1000", "max-bundle-bytes", "1500", "max-blob-bytes", "100000");
    }

    private String message(Reply refused) {
        return refused.json().at("/errors/0/message").stringValue();
    }

    private String bundleOf(String repository, byte[]... layers) {
        var config = utf8("{\"name\":\"Kit\"}");
        pushBlob(repository, config);
        return image(repository, layers)
                .replace(
                        descriptor("application/vnd.oci.empty.v1+json", utf8("{}")),
                        descriptor(MediaType.BUNDLE_CONFIG, config))
                .replace("application/x-test", MediaType.BUNDLE);
    }

    @Test
    void anImageMayHaveThem() {
        var layer = random(90_000);
        String json = image("large/image", layer, random(1_001));

        var pushed = pushManifest("large/image", "1.0.0", json);

        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        var resolved = app().get(bundle("large/image") + ":resolve?version=1.0.0", app().admin())
                .json();
        assertThat(resolved.get("sizeBytes").longValue()).isEqualTo(91_001);
        String path = resolved.at("/manifest/layers")
                .valueStream()
                .filter(one -> one.get("sizeBytes").longValue() == 90_000)
                .findFirst()
                .orElseThrow()
                .get("logicalPath")
                .stringValue();
        var raw = app().send(app().request(
                        "GET", bundle("large/image") + "/assets/" + path + "?version=1.0.0", app().admin(), null)
                .header("Accept", "application/octet-stream"));
        assertThat(raw.response().body()).isEqualTo(layer);
    }

    @Test
    void aBundleMayNotAndTheRefusalNamesTheLayerAndTheSetting() {
        var digest = Digest.sha256(random(1_001));

        var large = pushManifest("large/kit", "1.0.0", bundleOf("large/kit", random(1_001)));
        var many = pushManifest("large/kit", "1.0.0", bundleOf("large/kit", random(800), random(801)));

        assertRefused(large, 413, "SIZE_INVALID");
        assertThat(message(large))
                .contains(digest.hex())
                .contains("max-asset-bytes")
                .contains("1000");
        assertRefused(many, 413, "SIZE_INVALID");
        assertThat(message(many)).contains("max-bundle-bytes").contains("1500");
    }

    @Test
    void aBlobThatIsTooLargeIsRefusedByItsAnnouncedLength() {
        var large = random(100_001);

        var whole = call("POST", "/v2/large/blob/blobs/uploads/?digest=" + Digest.sha256(large), large);
        var patch = call("PATCH", begin("large/blob"), large);

        assertRefused(whole, 413, "SIZE_INVALID");
        assertRefused(patch, 413, "SIZE_INVALID");
        assertThat(message(whole)).contains("max-blob-bytes").contains("100000");
    }
}
