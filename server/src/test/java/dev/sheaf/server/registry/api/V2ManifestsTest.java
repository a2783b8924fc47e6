package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Pushing and pulling manifests, and the tags (distribution-spec, "Pushing Manifests", "Listing Tags").
class V2ManifestsTest extends V2Scenario {
    private static final String REPOSITORY = "manifests/kit";
    private static final String MANIFESTS = "/v2/" + REPOSITORY + "/manifests/";

    @Test
    void aManifestIsServedAsItWasPushed() {
        String json = image(REPOSITORY, random(10), random(50_000)) + "\n";
        var digest = Digest.sha256(utf8(json));

        var pushed = pushManifest(REPOSITORY, "some-tag", json);

        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        assertThat(pushed.header("Location")).isEqualTo(MANIFESTS + digest);
        assertThat(pushed.header("Docker-Content-Digest")).isEqualTo(digest.toString());
        for (String reference : List.of("some-tag", digest.toString())) {
            var got = call("GET", MANIFESTS + reference, null, "Accept", MediaType.IMAGE_MANIFEST);
            var head = call("HEAD", MANIFESTS + reference, null, "Accept", "*/*", "Accept", "text/plain");
            assertThat(got.text()).isEqualTo(json);
            for (var reply : new Reply[] {got, head}) {
                assertThat(reply.status()).isEqualTo(200);
                assertThat(reply.header("Content-Type")).isEqualTo(MediaType.IMAGE_MANIFEST);
                assertThat(reply.header("Content-Length")).isEqualTo(Integer.toString(utf8(json).length));
                assertThat(reply.header("Docker-Content-Digest")).isEqualTo(digest.toString());
                assertThat(reply.header("ETag")).isEqualTo("\"" + digest + "\"");
            }
            assertThat(call("GET", MANIFESTS + reference, null, "If-None-Match", "\"" + digest + "\"")
                            .status())
                    .isEqualTo(304);
        }
    }

    @Test
    void aManifestIsPushedUnderADigestOfEitherAlgorithm() {
        String json = image(REPOSITORY, random(11));
        for (var algorithm : Digest.Algorithm.values()) {
            var digest = Digest.of(algorithm, utf8(json));

            var pushed = pushManifest(REPOSITORY, digest.toString(), json);

            assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
            assertThat(pushed.header("Docker-Content-Digest")).isEqualTo(digest.toString());
            assertThat(call("HEAD", MANIFESTS + digest, null).header("Docker-Content-Digest"))
                    .isEqualTo(digest.toString());
        }
        assertRefused(pushManifest(REPOSITORY, Digest.sha256(random(1)).toString(), json), 400, "DIGEST_INVALID");
    }

    @Test
    void aVersionsTagPublishesAndNeverMoves() {
        String first = image("manifests/versioned", random(12));
        String second = image("manifests/versioned", random(13));

        assertThat(pushManifest("manifests/versioned", "1.0.0", first).status()).isEqualTo(201);
        assertThat(pushManifest("manifests/versioned", "1.0.0", first).status()).isEqualTo(201);
        assertRefused(pushManifest("manifests/versioned", "1.0.0", second), 409, "DENIED");

        var resolved = call("GET", "/v1/namespaces/manifests/bundles/versioned:resolve?version=1.0.0", null);
        assertThat(resolved.json().get("ociDigest").stringValue())
                .isEqualTo(Digest.sha256(utf8(first)).toString());
        assertThat(call("GET", "/v2/manifests/versioned/manifests/latest", null).text())
                .isEqualTo(first);
    }

    @Test
    void anIndexNeedsItsManifests() {
        String image = image(REPOSITORY, random(14));
        String index = """
                {"schemaVersion":2,"mediaType":"%s","manifests":[%s]}""".formatted(MediaType.IMAGE_INDEX, descriptor(MediaType.IMAGE_MANIFEST, utf8(image)));
        assertRefused(pushIndex("index", index), 404, "MANIFEST_BLOB_UNKNOWN");

        pushManifest(REPOSITORY, Digest.sha256(utf8(image)).toString(), image);

        assertThat(pushIndex("index", index).status()).isEqualTo(201);
        assertThat(call("GET", MANIFESTS + "index", null).header("Content-Type"))
                .isEqualTo(MediaType.IMAGE_INDEX);
        String empty = """
                {"schemaVersion":2,"manifests":[]}""";
        assertThat(pushIndex("empty", empty).status()).isEqualTo(201);
    }

    private Reply pushIndex(String tag, String json) {
        return call("PUT", MANIFESTS + tag, utf8(json), "Content-Type", MediaType.IMAGE_INDEX + "; charset=utf-8");
    }

    @Test
    void aSubjectIsAcknowledgedWhetherItExistsOrNot() {
        var subject = Digest.sha256(random(15));
        String json = image(REPOSITORY, random(16))
                .replaceFirst(
                        "\\{",
                        "{\"subject\":{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":7},"
                                .formatted(MediaType.IMAGE_MANIFEST, subject));

        var byTag = pushManifest(REPOSITORY, "refers", json);
        var byDigest = pushManifest(REPOSITORY, Digest.sha256(utf8(json)).toString(), json);

        for (var pushed : new Reply[] {byTag, byDigest}) {
            assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
            assertThat(pushed.header("OCI-Subject")).isEqualTo(subject.toString());
        }
    }

    @Test
    void whatIsNoManifestIsRefused() {
        String good = image(REPOSITORY, random(17));
        for (String bad : new String[] {
            "",
            "[]",
            "{",
            "{}",
            good.replace("\"layers\":[", "\"manifests\":[],\"layers\":["),
            good.replace("\"layers\"", "\"layer\""),
            good.replace("\"config\"", "\"conf\""),
            good.replace("\"schemaVersion\":2", "\"schemaVersion\":1"),
            good.replace("\"schemaVersion\":2", "\"schemaVersion\":\"2\""),
            good.replace("\"mediaType\":\"" + MediaType.IMAGE_MANIFEST, "\"mediaType\":\"" + MediaType.IMAGE_INDEX),
            good.replaceFirst("\"size\":\\d+", "\"size\":-1"),
            good.replaceFirst("\"size\":\\d+", "\"size\":1.5"),
            good.replaceFirst("\"size\":\\d+", "\"size\":99999999999999999999"),
            good.replaceFirst("\"size\":2", "\"size\":3"),
            good.replaceFirst("sha256:", "sha256:0"),
            good.replaceFirst("\"layers\":\\[", "\"layers\":[7,"),
            good.replaceFirst("\"layers\":\\[", "\"annotations\":{\"a\":1},\"layers\":["),
            good.replaceFirst("\"layers\"", "\"layers\":[],\"layers\""),
            "[".repeat(10_000)
        }) {
            assertRefused(pushManifest(REPOSITORY, "bad", bad), 400, "MANIFEST_INVALID");
        }
        String index = "{\"schemaVersion\":2,\"manifests\":[],\"layers\":[]}";
        assertRefused(pushIndex("bad", index), 400, "MANIFEST_INVALID");
        assertRefused(
                call("PUT", MANIFESTS + "bad", utf8(good), "Content-Type", "text/plain"), 415, "MANIFEST_INVALID");
        assertRefused(
                pushManifest(
                        REPOSITORY,
                        "bad",
                        good.replace(Digest.sha256(random(17)).hex(), "0".repeat(64))),
                404,
                "MANIFEST_BLOB_UNKNOWN");
        assertRefused(call("GET", MANIFESTS + "bad", null), 404, "MANIFEST_UNKNOWN");
    }

    @Test
    void aManifestMayHaveFourMebibytesAndNoMore() {
        String image = image(REPOSITORY, random(18));
        String large = image.replaceFirst("\\{", "{\"x\":\"" + "x".repeat(3_900_000) + "\",");
        String huge = image.replaceFirst("\\{", "{\"x\":\"" + "x".repeat(4 << 20) + "\",");

        assertThat(pushManifest(REPOSITORY, "large", large).status()).isEqualTo(201);
        assertThat(call("GET", MANIFESTS + "large", null).text()).isEqualTo(large);
        assertRefused(pushManifest(REPOSITORY, "huge", huge), 413, "SIZE_INVALID");
    }

    @Test
    void aReferenceThatIsNeitherTagNorDigestIsRefused() {
        String json = image(REPOSITORY, random(19));
        assertRefused(pushManifest(REPOSITORY, "a:b", json), 400, "DIGEST_INVALID");
        assertRefused(pushManifest(REPOSITORY, "sha256:abc", json), 400, "DIGEST_INVALID");
        assertRefused(pushManifest(REPOSITORY, "-a", json), 400, "MANIFEST_INVALID");
        assertRefused(pushManifest(REPOSITORY, "t".repeat(129), json), 400, "MANIFEST_INVALID");
        assertRefused(call("GET", MANIFESTS + "-a", null), 404, "MANIFEST_UNKNOWN");
        assertThat(call("HEAD", MANIFESTS + "t".repeat(129), null).status()).isEqualTo(404);
        assertRefused(call("DELETE", MANIFESTS + "-a", null), 400, "MANIFEST_INVALID");
        assertThat(pushManifest(REPOSITORY, "t".repeat(128), json).status()).isEqualTo(201);
    }

    @Test
    void aNameThatIsNoneIsRefused() {
        for (String name : List.of("Manifests/kit", "manifests/K", "-a/kit", "a../kit", "a/b..c", "a/b-", "a/b___c")) {
            refusesName(name, 400, "NAME_INVALID");
        }
        // names elsewhere, of which docker would try that code for a minute
        for (String name :
                List.of("kit", "a_b/kit", "a/b/x.git", "a.b/kit", "a/x.git", "a/x.json", "a/" + "n".repeat(101))) {
            refusesName(name, 403, "DENIED");
            // so that a push goes on to the request whose answer can say why
            for (String part : List.of("/manifests/latest", "/blobs/sha256:" + "ab".repeat(32))) {
                assertThat(call("HEAD", "/v2/" + name + part, null).status()).isEqualTo(404);
            }
        }
        assertRefused(call("GET", "/v2/manifests/nothing/manifests/latest", null), 404, "NAME_UNKNOWN");
        assertRefused(call("GET", "/v2/manifests/nothing", null), 404, "UNSUPPORTED");
        assertRefused(call("PATCH", "/v2/manifests/kit/manifests/x", null), 405, "UNSUPPORTED");
    }

    private void refusesName(String name, int status, String code) {
        assertRefused(call("GET", "/v2/" + name + "/manifests/latest", null), status, code);
        assertRefused(call("GET", "/v2/" + name + "/tags/list", null), status, code);
        assertRefused(call("POST", "/v2/" + name + "/blobs/uploads/", null), status, code);
    }

    @Test
    void aReservedNameIsDeniedAndNotTriedAgain() {
        assertRefused(call("POST", "/v2/admin/kit/blobs/uploads/", null), 403, "DENIED");
    }

    @Test
    void aTypeThatIsNoneNamesAllThatAre() {
        var refused = call("PUT", MANIFESTS + "x", utf8("{}"), "Content-Type", "text/plain");

        assertRefused(refused, 415, "MANIFEST_INVALID");
        assertThat(refused.json().at("/errors/0/message").stringValue())
                .contains(MediaType.IMAGE_MANIFEST, MediaType.IMAGE_INDEX, MediaType.DOCKER_MANIFEST)
                .contains(MediaType.DOCKER_LIST);
    }

    @Test
    void whoHasNoCredentialIsToldToLogIn() {
        for (String path : List.of("/v2/", MANIFESTS + "latest", "/v2/free/kit/tags/list")) {
            var refused = callAs(null, "GET", path, null);
            assertRefused(refused, 401, "UNAUTHORIZED");
            assertThat(refused.json().at("/errors/0/message").stringValue())
                    .endsWith("; log in, with an API key as the password and any user name");
        }
    }

    /// As images elsewhere are called; what is made here has a slug.
    @Test
    void repositoriesMayBeCalledAsTheProtocolAllows() {
        for (String name : List.of("a_b", "a__b", "a.b", "a--b", "a.b_c-d")) {
            String repository = "manifests/" + name;
            assertThat(pushManifest(repository, "1.0.0", image(repository, random(30)))
                            .status())
                    .isEqualTo(201);
            assertThat(call("GET", "/v2/" + repository + "/tags/list", null).text())
                    .contains("\"name\":\"" + repository + "\"");
            assertThat(app().get(bundle(repository) + ":resolve", app().admin())
                            .json()
                            .get("ref")
                            .stringValue())
                    .isEqualTo(repository);
        }
        assertThat(app().get("/v1/namespaces/manifests/bundles?limit=100", app().admin())
                        .text())
                .contains("\"slug\":\"a__b\"");
        var made = app().post("/v1/namespaces/manifests/bundles", app().admin(), """
                {"slug": "c_d", "name": "C"}""");
        var pushed = app().post("/v1/namespaces/manifests/bundles/c_d:push", app().admin(), """
                {"version": "1.0.0", "manifest": [{"logicalPath": "a.md", "contentText": "a"}]}""");
        var again = app().post("/v1/namespaces/manifests/bundles/a_b:push", app().admin(), """
                {"version": "2.0.0", "manifest": [{"logicalPath": "a.md", "contentText": "a"}]}""");
        assertThat(made.status()).isEqualTo(422);
        assertThat(pushed.status()).isEqualTo(422);
        assertThat(again.status()).as("one that is there").isEqualTo(201);
    }

    @Test
    void tagsAreListedInPages() {
        String repository = "manifests/tagged";
        String json = image(repository, random(20));
        for (String tag : List.of("b", "a_1", "B", "a-1", "2.0.0", "10.0.0")) {
            assertThat(pushManifest(repository, tag, json).status()).isEqualTo(201);
        }
        String list = "/v2/" + repository + "/tags/list";

        assertThat(tags(list)).containsExactly("10.0.0", "2.0.0", "B", "a-1", "a_1", "b", "latest");
        assertThat(call("GET", list, null).json().get("name").stringValue()).isEqualTo(repository);
        assertThat(tags(list + "?n=0")).isEmpty();
        assertThat(tags(list + "?last=a")).containsExactly("a-1", "a_1", "b", "latest");
        assertThat(tags(list + "?n=99999999999")).hasSize(7);
        assertThat(tags(list + "?n=2&last=B")).containsExactly("a-1", "a_1");
        var page = call("GET", list + "?n=5", null);
        assertThat(page.header("Link")).isEqualTo("<" + list + "?n=5&last=a_1>; rel=\"next\"");
        assertThat(call("GET", list + "?n=7", null).header("Link")).isEmpty();
        for (String bad : new String[] {"-1", "abc", "1.5", ""}) {
            assertRefused(call("GET", list + "?n=" + bad, null), 400, "UNSUPPORTED");
        }
    }

    private List<String> tags(String path) {
        var reply = call("GET", path, null);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply.json()
                .get("tags")
                .valueStream()
                .map(tag -> tag.stringValue())
                .toList();
    }
}
