package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.testing.V2Scenario;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// `delete-enabled = false` (CVE-2026-41888 was a switch that one way to delete ignored).
class V2DeleteDisabledTest extends V2Scenario {
    @Override
    public Map<String, String> settings() {
        return Map.of("delete-enabled", "false");
    }

    /// Walks the route table of a registry that does delete, so that no way to delete is forgotten here.
    @Test
    void noRouteDeletesContent() {
        String json = image("kept/kit", random(10));
        var manifest = Digest.sha256(utf8(json));
        pushManifest("kept/kit", manifest + "?tag=word", json);
        var blob = pushBlob("kept/kit", random(11));
        var paths = List.of(
                "/v2/kept/kit/manifests/word", "/v2/kept/kit/manifests/" + manifest, "/v2/kept/kit/blobs/" + blob);
        var allowed = Map.of(paths.get(0), "GET, PUT, HEAD", paths.get(1), "GET, PUT, HEAD", paths.get(2), "GET, HEAD");

        for (String path : paths) {
            for (String key : new String[] {app().admin(), null}) {
                var refused = callAs(key, "DELETE", path, null);

                assertRefused(refused, 405, "UNSUPPORTED");
                assertThat(refused.header("Allow")).isEqualTo(allowed.get(path));
            }
            assertThat(call("GET", path, null).status()).isEqualTo(200);
        }
        assertThat(app().routes().stream()
                        .filter(route -> route.pattern().startsWith("/v2") && route.method() == RouteMethod.DELETE)
                        .map(route -> route.pattern()))
                .as("an upload is no content yet")
                .containsExactly("/v2/{namespace}/{bundle}/blobs/uploads/{upload_id}");
    }

    @Test
    void anUploadIsCancelledAllTheSame() {
        String upload = begin("kept/kit");

        assertThat(call("DELETE", upload, null).status()).isEqualTo(204);
        assertThat(call("GET", upload, null).status()).isEqualTo(404);
    }
}
