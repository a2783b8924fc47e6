package dev.sheaf.server.bundle.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.Asset;
import dev.sheaf.model.wire.bundle.PulledBundle;
import dev.sheaf.server.testing.AssetScenario;
import dev.sheaf.server.testing.Reply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What answers do where content is no text: an empty text in its place would be taken for the file (contract 3.2,
/// 3.4).
class BinaryContentTest extends AssetScenario {
    private static final String NAMESPACED = bundle("binary/kit");
    private static final String HUB = "/v1/hub/bundles/binary/kit";

    @BeforeEach
    void published() {
        app().post(NAMESPACED + ":push", app().admin(), """
                {"version": "1.0.0", "visibility": "public", "manifest": [
                  {"logicalPath": "a.txt", "contentText": "a\\u0000b"},
                  {"logicalPath": "b.png", "contentBase64": "iVBORw0KGgo="}]}""");
    }

    private Reply as(@Nullable String accept, String path) {
        return accept == null ? get(path, app().admin()) : get(path, app().admin(), "Accept", accept);
    }

    @Test
    void aWholeVersionWithBinaryAssetsIsAskedForInBase64() {
        for (String place : List.of(NAMESPACED, HUB)) {
            String pull = place + "/versions/1.0.0:pull";

            var refused = get(pull, app().admin());
            var whole = get(pull + "?binary=base64", app().admin());

            refused.assertRefused("409 binary-assets");
            assertThat(refused.json().get("assets").toString()).isEqualTo("[\"b.png\"]");
            assertThat(refused.problem().detail())
                    .contains("b.png")
                    .contains("?binary=base64")
                    .contains("application/octet-stream")
                    .contains("binary/kit@sha256:");
            assertThat(whole.status()).as(whole.text()).isEqualTo(200);
            assertThat(whole.as(PulledBundle.class).manifest().get(1).contentText())
                    .isEmpty();
            assertThat(whole.json().at("/manifest/1/contentBase64").stringValue())
                    .isEqualTo("iVBORw0KGgo=");
            get(pull + "?binary=hex", app().admin()).assertRefused("422 validation-failed");
        }
    }

    @Test
    void aTextMayHoldNul() {
        var whole = get(NAMESPACED + "/versions/1.0.0:pull?binary=base64", app().admin());
        var one = get(NAMESPACED + "/assets/a.txt?version=1.0.0", app().admin()).as(Asset.class);

        assertThat(whole.as(PulledBundle.class).manifest().getFirst().contentText())
                .isEqualTo("a\0b");
        assertThat(whole.json().at("/manifest/0").has("contentBase64")).isFalse();
        assertThat(one.contentText()).isEqualTo("a\0b");
    }

    @Test
    void binaryAssetHasNoText() {
        var id = get(NAMESPACED + "/assets?version=1.0.0", app().admin())
                .list(Asset.class)
                .get(1)
                .id();
        String namespaced = NAMESPACED + "/assets/b.png?version=1.0.0";

        for (String accept : new String[] {null, "*/*", "application/json"}) {
            assertThat(as(accept, namespaced).refusal())
                    .as("Accept: %s", accept)
                    .isEqualTo("409 binary-assets");
        }
        for (String accept : new String[] {"application/octet-stream", "application/json, application/octet-stream"}) {
            assertRaw(as(accept, namespaced), accept);
        }
        for (String path : List.of(HUB + "/assets/b.png", "/v1/runner/assets/" + id)) {
            for (String accept : new String[] {null, "*/*", "application/octet-stream", "application/json, */*"}) {
                assertRaw(as(accept, path), accept);
            }
            as("application/json", path).assertRefused("409 binary-assets");
            assertThat(as("text/html", path).status()).isEqualTo(406);
        }
        assertThat(as(null, HUB + "/assets/a.txt").as(Asset.class).contentText())
                .isEqualTo("a\0b");
    }

    private static void assertRaw(Reply reply, @Nullable String accept) {
        assertThat(reply.status()).as("Accept: %s: %s", accept, reply.text()).isEqualTo(200);
        assertThat(reply.header("Content-Type")).isEqualTo("application/octet-stream");
        assertThat(reply.header("Content-Digest")).startsWith("sha-256=:");
        assertThat(reply.response().body()).containsExactly(0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n');
    }

    @Test
    void refusalOfManyBinaryAssetsStaysShort() {
        var manifest = new ArrayList<String>();
        for (int i = 0; i < 60; i++) {
            manifest.add("{\"logicalPath\": \"" + "é".repeat(100) + "/" + "é".repeat(100) + i
                    + "\", \"contentBase64\": \"/w==\"}");
        }
        app().post(
                        bundle("binary/many") + ":push",
                        app().admin(),
                        "{\"version\": \"1.0.0\", \"manifest\": [" + String.join(",", manifest) + "]}");

        var refused = get(bundle("binary/many") + "/versions/1.0.0:pull", app().admin());

        refused.assertRefused("409 binary-assets");
        assertThat(refused.json().get("assetCount").intValue()).isEqualTo(60);
        assertThat(refused.response().body().length).isLessThan(4_096);
    }
}
