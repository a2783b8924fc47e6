package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.V2Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Repositories of three and more parts: for OCI clients alone, in the organization of their namespace.
class V2DeepNamesTest extends V2Scenario {
    private String v2(String repository, String rest) {
        return "/v2/" + repository + rest;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "deep/app/image",
                "deep/a/b/c/d/e",
                "deep/blobs/uploads",
                "deep/x/manifests/y",
                "deep/py_tools/node.js"
            })
    void theyTakeWhatOthersTake(String repository) {
        String image = image(repository, random(20));
        String digest = Digest.sha256(utf8(image)).toString();
        for (String tag : List.of("1.0.0", "3.20", "latest", "word")) {
            var pushed = pushManifest(repository, tag, image);
            assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
            assertThat(pushed.header("Location")).isEqualTo(v2(repository, "/manifests/" + digest));
        }
        String later = image(repository, random(21));
        assertThat(pushManifest(repository, "1.0.0", later).status())
                .as("tags move")
                .isEqualTo(201);

        assertThat(call("GET", v2(repository, "/manifests/1.0.0"), null).text()).isEqualTo(later);
        assertThat(call("GET", v2(repository, "/manifests/" + digest), null).text())
                .isEqualTo(image);
        assertThat(call("GET", v2(repository, "/blobs/" + Digest.sha256(random(20))), null)
                        .status())
                .isEqualTo(200);
        assertThat(call("GET", v2(repository, "/tags/list"), null).text())
                .contains("\"name\":\"" + repository + "\"", "[\"1.0.0\",\"3.20\",\"latest\",\"word\"]");
        assertThat(call("GET", v2(repository, "/tags/list?n=1"), null).header("Link"))
                .contains("/v2/" + repository + "/tags/list?");
        assertThat(call("GET", v2(repository, "/referrers/" + digest), null).status())
                .isEqualTo(200);
        assertThat(call("GET", "/v2/_catalog?n=1000", null).text()).contains("\"" + repository + "\"");
        String mounted = "/blobs/uploads/?from=" + repository + "&mount=" + Digest.sha256(random(20));
        assertThat(call("POST", v2("deep/mounted", mounted), null).status()).isEqualTo(201);
        assertThat(call("DELETE", v2(repository, "/manifests/word"), null).status())
                .isEqualTo(202);
        assertThat(call("DELETE", v2(repository, "/manifests/" + digest), null).status())
                .isEqualTo(202);
        assertThat(call("GET", v2(repository, "/tags/list"), null).text()).contains("[\"1.0.0\"]");
    }

    @Test
    void theyAreNoBundles() {
        String image = image("deepless/app/image", random(22));
        pushManifest("deepless/app/image", "1.0.0", image);
        String admin = app().admin();

        for (String path : List.of(
                "/v1/namespaces/deepless/bundles/app%2Fimage",
                "/v1/namespaces/deepless/bundles/app%2Fimage:resolve",
                "/v1/namespaces/deepless/bundles/app",
                "/v1/hub/bundles/deepless/app%2Fimage")) {
            assertThat(app().get(path, admin).status()).as(path).isIn(404, 422);
        }
        assertThat(app().get("/v1/namespaces/deepless/bundles", admin).json().get("data"))
                .isEmpty();
        assertThat(app().get("/v1/hub/bundles?q=deepless", null).json().get("data"))
                .isEmpty();
        assertThat(app().get("/v1/organizations/default/usage", admin).status()).isEqualTo(200);
        assertThat(app().get("/v1/organizations/default/audit-log?limit=100", admin)
                        .text())
                .contains("deepless/app/image:1.0.0");
    }

    @Test
    void onlyTheirOrganizationHasThem() {
        String image = image("deepowned/app/image", random(23));
        pushManifest("deepowned/app/image", "word", image);
        String stranger = app().secondOrganization("deepothers");
        String path = "/v2/deepowned/app/image/manifests/word";

        assertThat(callAs(stranger, "GET", path, null).status()).isEqualTo(404);
        var anonymous = callAs(null, "GET", path, null);
        assertThat(anonymous.status()).isEqualTo(401);
        assertThat(anonymous.header("WWW-Authenticate")).contains("scope=\"repository:deepowned/app/image:pull\"");
        assertThat(callAs(stranger, "POST", "/v2/deepowned/app/other/blobs/uploads/", null)
                        .status())
                .isIn(403, 404);
        assertThat(callAs(stranger, "DELETE", path, null).status()).isIn(403, 404);
        String token = app().get("/v2/token?scope=repository:deepowned/app/image:pull", app().admin())
                .json()
                .get("token")
                .stringValue();
        assertThat(callAs(token, "GET", path, null).text()).isEqualTo(image);
        assertThat(callAs(token, "GET", "/v2/deepowned/app/other/manifests/word", null)
                        .status())
                .isIn(401, 404);
        assertThat(callAs(token, "POST", "/v2/deepowned/app/image/blobs/uploads/", null)
                        .status())
                .isEqualTo(401);
    }
}
