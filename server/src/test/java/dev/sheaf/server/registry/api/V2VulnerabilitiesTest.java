package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Together;
import dev.sheaf.server.testing.V2Scenario;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Holes that other registries had, each by the number it is known under.
class V2VulnerabilitiesTest extends V2Scenario {
    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString(utf8(user + ":" + password));
    }

    /// CVE-2017-11468: a body that announces no length is still bounded.
    @Test
    void aBodyWithoutLengthIsBounded() {
        pushBlob("holes/body", random(1));
        var endless = new byte[(4 << 20) + 1];
        var requests = List.of(
                app().request("PUT", "/v2/holes/body/manifests/word", app().admin(), null)
                        .header("Content-Type", MediaType.IMAGE_MANIFEST),
                app().request("POST", "/v2/token", null, null));
        for (var request : requests) {
            var path = request.build().method();
            var reply = app().send(request.method(
                    path, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(endless))));

            assertRefused(reply, 413, "SIZE_INVALID");
        }
    }

    /// CVE-2023-2253: a page size is anybody's number and sizes no buffer.
    @Test
    void aHugePageSizeIsClamped() {
        pushBlob("holes/pages", random(2));
        for (String list : List.of(
                "/v2/_catalog", "/v2/holes/pages/tags/list", "/v2/holes/pages/referrers/" + Digest.sha256(random(2)))) {
            assertThat(call("GET", list + "?n=2147483647", null).status()).isEqualTo(200);
            assertThat(call("GET", list + "?n=999999999999999999", null).status())
                    .isEqualTo(200);
            assertRefused(call("GET", list + "?n=99999999999999999999", null), 400, "UNSUPPORTED");
        }
    }

    /// CVE-2021-41190: no document is both an image and an index.
    @Test
    void aDocumentIsOfOneType() {
        String image = image("holes/types", random(3));
        String both = image.replaceFirst("\"layers\"", "\"manifests\":[],\"layers\"");
        for (String type : List.of(MediaType.IMAGE_MANIFEST, MediaType.IMAGE_INDEX)) {
            for (String json : List.of(both, both.replace(MediaType.IMAGE_MANIFEST, MediaType.IMAGE_INDEX))) {
                assertRefused(
                        call("PUT", "/v2/holes/types/manifests/word", utf8(json), "Content-Type", type),
                        400,
                        "MANIFEST_INVALID");
            }
        }
        assertRefused(
                call("PUT", "/v2/holes/types/manifests/word", utf8(image), "Content-Type", MediaType.IMAGE_INDEX),
                400,
                "MANIFEST_INVALID");
    }

    /// CVE-2024-39897: what one repository holds is not served, mounted or pushed upon from another by its digest.
    @Test
    void aDigestOpensNoOtherRepository() {
        String json = image("holes/secret", random(4));
        var manifest = Digest.parse(pushManifest("holes/secret", "word", json).header("Docker-Content-Digest"));
        var layer = Digest.sha256(random(4));
        String stranger = app().secondOrganization("holes" + Math.abs(seed));
        String theirs = "/v2/holes-" + Math.abs(seed) + "/kit";
        callAs(stranger, "POST", theirs + "/blobs/uploads/", null);

        for (String method : List.of("GET", "HEAD")) {
            assertThat(callAs(stranger, method, theirs + "/blobs/" + layer, null)
                            .status())
                    .isEqualTo(404);
            assertThat(callAs(stranger, method, theirs + "/manifests/" + manifest, null)
                            .status())
                    .isEqualTo(404);
        }
        var mounted = callAs(stranger, "POST", theirs + "/blobs/uploads/?mount=" + layer + "&from=holes/secret", null);
        assertThat(mounted.status()).isEqualTo(202);
        assertRefused(
                callAs(
                        stranger,
                        "PUT",
                        theirs + "/manifests/word",
                        utf8(json),
                        "Content-Type",
                        MediaType.IMAGE_MANIFEST),
                404,
                "MANIFEST_BLOB_UNKNOWN");
    }

    /// CVE-2026-35172: nothing that remembers content or names outlives a delete.
    @Test
    void nothingRememberedOutlivesADelete() {
        String json = image("holes/cache", random(5));
        var digest = Digest.parse(pushManifest("holes/cache", "word", json).header("Docker-Content-Digest"));
        String root = "/v2/holes/cache/";
        var paths = List.of("manifests/word", "manifests/" + digest, "blobs/" + Digest.sha256(random(5)));
        for (int i = 0; i < 3; i++) {
            paths.forEach(
                    path -> assertThat(call("GET", root + path, null).status()).isEqualTo(200));
        }

        call("DELETE", root + "manifests/" + digest, null);
        call("DELETE", root + paths.getLast(), null);

        for (String path : paths) {
            assertThat(call("GET", root + path, null).status()).isEqualTo(404);
            assertThat(call("HEAD", root + path, null).status()).isEqualTo(404);
            assertThat(call("GET", root + path, null, "If-None-Match", "*").status())
                    .isEqualTo(404);
        }
        assertThat(call("GET", root + "tags/list", null).json().get("tags")).isEmpty();
    }

    /// CVE-2026-31801: of pushes that create the same version at once one wins, and none overwrites it.
    @Test
    void oneOfManyCreatesAndNoneOverwrites() throws Exception {
        String repository = "holes/race";
        var images = new ArrayList<String>();
        for (int i = 0; i < 8; i++) {
            images.add(image(repository, random(60 + i)));
        }

        var replies = Together.run(8, i -> () -> {
            String json = images.get(i);
            return pushManifest(
                    repository, i % 2 == 0 ? "1.0.0" : Digest.sha256(utf8(json)) + "?tag=1.0.0&tag=word", json);
        });

        assertThat(replies.stream().map(Reply::status)).containsOnlyOnce(201).contains(409);
        var winner = replies.stream().filter(reply -> reply.status() == 201).findFirst();
        assertThat(call("HEAD", "/v2/" + repository + "/manifests/1.0.0", null).header("Docker-Content-Digest"))
                .isEqualTo(winner.orElseThrow().header("Docker-Content-Digest"));
    }

    /// CVE-2026-28699: a key's scope holds by Basic as by Bearer, on every route that changes something.
    @Test
    void aReadKeyWritesNothingByBasic() {
        String json = image("holes/scope", random(7));
        String digest = pushManifest("holes/scope", "word", json).header("Docker-Content-Digest");
        String upload = begin("holes/scope");
        String reader = app().key("holes" + seed, "read");
        String root = "/v2/holes/scope/";
        var before = call("GET", root + "tags/list", null).text();
        var changes = List.of(
                "POST " + root + "blobs/uploads/",
                "PATCH " + upload,
                "PUT " + upload + "?digest=" + digest,
                "DELETE " + upload,
                "PUT " + root + "manifests/word",
                "PUT " + root + "manifests/" + digest + "?tag=other",
                "DELETE " + root + "manifests/word",
                "DELETE " + root + "manifests/" + digest,
                "DELETE " + root + "blobs/" + Digest.sha256(random(7)));
        for (String change : changes) {
            String[] parts = change.split(" ");
            var reply = callAs(
                    null,
                    parts[0],
                    parts[1],
                    utf8(json),
                    "Authorization",
                    basic("any", reader),
                    "Content-Type",
                    MediaType.IMAGE_MANIFEST);
            assertRefused(reply, 403, "DENIED");
        }
        assertThat(call("GET", root + "tags/list", null).text()).isEqualTo(before);
        assertThat(call("GET", upload, null).status()).isEqualTo(204);
    }

    /// CVE-2026-20896: what a proxy is said to have forwarded is not believed.
    @Test
    void forwardedHeadersAreNotBelieved() {
        var reply = callAs(
                null,
                "GET",
                "/v2/",
                null,
                "X-Forwarded-Host",
                "evil.example",
                "X-Forwarded-Proto",
                "https",
                "Forwarded",
                "host=evil.example;proto=https",
                "X-Forwarded-User",
                "admin");

        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.header("WWW-Authenticate")).contains("realm=\"" + app().url() + "/v2/token\"");
    }

    /// CVE-2026-4404: there are no passwords to begin with.
    @Test
    void noPasswordWorksByDefault() {
        for (String user : List.of("admin", "root", "sheaf", "default", "")) {
            for (String password : List.of("admin", "password", "changeme", "sheaf", "default", user)) {
                assertRefused(
                        callAs(null, "GET", "/v2/", null, "Authorization", basic(user, password)), 401, "UNAUTHORIZED");
            }
        }
    }
}
