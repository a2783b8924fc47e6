package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What pushing may do besides: many tags at once, mounts, leases (distribution-spec, "Pushing Manifests",
/// "Mounting a blob from another repository").
class V2PushTest extends V2Scenario {
    private Reply push(String repository, String json, String query) {
        return pushManifest(repository, Digest.sha256(utf8(json)) + query, json);
    }

    private static List<String> tags(Reply reply) {
        return reply.response().headers().allValues("OCI-Tag");
    }

    @Test
    void aManifestIsPushedToManyTagsAtOnce() {
        String repository = "push/tags";
        String json = image(repository, random(10));
        var words =
                IntStream.range(0, 20).mapToObj(i -> "t" + "x".repeat(100) + i).toList();

        var pushed = push(repository, json, "?tag=" + String.join("&tag=", words) + "&tag=1.0.0&tag=" + words.get(0));

        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        assertThat(tags(pushed)).containsAll(words).contains("1.0.0").hasSize(21);
        for (String tag : tags(pushed)) {
            assertThat(call("GET", "/v2/" + repository + "/manifests/" + tag, null)
                            .text())
                    .isEqualTo(json);
        }
        assertThat(call("GET", "/v1/namespaces/push/bundles/tags:resolve?version=1.0.0", null)
                        .status())
                .isEqualTo(200);
        assertThat(tags(push(repository, json, ""))).isEmpty();
        assertThat(tags(pushManifest(repository, "word", json))).isEmpty();
    }

    @Test
    void aManifestMayComeWithoutItsLength() {
        String json = image("push/streamed", random(15));
        var request = app().request("PUT", "/v2/push/streamed/manifests/word", app().admin(), null)
                .header("Content-Type", MediaType.IMAGE_MANIFEST)
                .method("PUT", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(utf8(json))));

        assertThat(app().send(request).status()).isEqualTo(201);

        assertThat(call("GET", "/v2/push/streamed/manifests/word", null).text()).isEqualTo(json);
    }

    @Test
    void aTagOfADigestsAlgorithmReportsThatDigest() {
        String json = image("push/sha512", random(11));
        var digest = Digest.of(Digest.Algorithm.SHA512, utf8(json));

        var pushed = pushManifest("push/sha512", digest + "?tag=word&tag=2.0.0", json);

        assertThat(tags(pushed)).containsExactly("word", "2.0.0");
        for (String tag : tags(pushed)) {
            assertThat(call("HEAD", "/v2/push/sha512/manifests/" + tag, null).header("Docker-Content-Digest"))
                    .isEqualTo(digest.toString());
        }
    }

    @Test
    void aVersionHasItsContentByItsSha256() {
        String repository = "push/layers512";
        byte[] layer = random(12);
        var digest = Digest.of(Digest.Algorithm.SHA512, layer);
        assertThat(call("PUT", begin(repository) + "?digest=" + digest, layer).status())
                .isEqualTo(201);
        String json = image(repository, layer).replace(Digest.sha256(layer).toString(), digest.toString());

        var refused = pushManifest(repository, "1.0.0", json);

        assertRefused(refused, 400, "MANIFEST_INVALID");
        assertThat(refused.text()).contains("no SHA-256 digest");
        assertThat(pushManifest(repository, "word", json).status()).isEqualTo(201);
    }

    @Test
    void aTagThatNamesNoVersionSaysSo() {
        String repository = "push/pinned";
        assertThat(pushManifest(repository, "1.0.0", image(repository, random(21)))
                        .status())
                .isEqualTo(201);
        assertThat(pushManifest(repository, "word", image(repository, random(22)))
                        .status())
                .isEqualTo(201);

        var resolved = call("GET", "/v1/namespaces/push/bundles/pinned:resolve?version=word", null);

        assertThat(resolved.status()).isEqualTo(404);
        assertThat(resolved.json().get("detail").stringValue())
                .contains("the tag word")
                .contains("not a version")
                .doesNotContain("publish one first");
    }

    @Test
    void allTagsAreTakenOrNone() {
        String repository = "push/all";
        String first = image(repository, random(12));
        String second = image(repository, random(13));
        push(repository, first, "?tag=1.0.0&tag=word");

        assertRefused(push(repository, second, "?tag=new&tag=word&tag=1.0.0"), 409, "DENIED");
        assertRefused(push(repository, second, "?tag=2.0.0&tag=a:b"), 400, "MANIFEST_INVALID");
        assertRefused(push(repository, second, "?tag="), 400, "MANIFEST_INVALID");

        assertThat(call("GET", "/v2/" + repository + "/tags/list", null)
                        .json()
                        .get("tags")
                        .toString())
                .isEqualTo("[\"1.0.0\",\"latest\",\"word\"]");
        assertThat(call("GET", "/v2/" + repository + "/manifests/word", null).text())
                .isEqualTo(first);
        assertRefused(
                call("GET", "/v2/" + repository + "/manifests/" + Digest.sha256(utf8(second)), null),
                404,
                "MANIFEST_UNKNOWN");
    }

    @Test
    void aBlobIsMountedFromWhereverTheCallerMayPullIt() {
        var bytes = random(40_000);
        var digest = pushBlob("push/source", bytes);
        String mount = "/blobs/uploads/?mount=" + digest;

        for (String from : List.of("", "&from=")) {
            var mounted = call("POST", "/v2/push/target" + from.length() + mount + from, null);

            assertThat(mounted.status()).isEqualTo(201);
            assertThat(call("GET", mounted.header("Location"), null).response().body())
                    .isEqualTo(bytes);
        }
        String stranger = app().secondOrganization("anywhere" + Math.abs(seed));
        String theirs = "/v2/anywhere-" + Math.abs(seed) + "/kit";
        assertThat(callAs(stranger, "POST", theirs + mount, null).status()).isEqualTo(202);
        var narrow = call("GET", "/v2/token?scope=repository:push/narrow:pull,push", null)
                .json()
                .get("token")
                .stringValue();
        assertThat(callAs(narrow, "POST", "/v2/push/narrow" + mount, null).status())
                .as("the key behind the token decides")
                .isEqualTo(201);
        assertThat(call("POST", "/v2/push/target/blobs/uploads/?mount=" + Digest.sha256(random(3)), null)
                        .status())
                .isEqualTo(202);

        app().push("push/open", "1.0.0", "public", "# Mounted " + seed);
        var open = Digest.sha256(utf8("# Mounted " + seed));
        assertThat(callAs(stranger, "POST", theirs + "/blobs/uploads/?mount=" + open, null)
                        .status())
                .isEqualTo(201);
    }

    @Test
    void anUploadSaysHowLongChunksShouldBeAndRefusesNoneForIt() {
        var begun = call("POST", "/v2/push/chunks/blobs/uploads/", null);

        assertThat(begun.header("OCI-Chunk-Min-Length")).isEqualTo("65536");
        assertThat(call("PATCH", begun.header("Location"), random(1), "Content-Range", "0-0")
                        .status())
                .isEqualTo(202);
    }

    @Test
    void headFromAPusherKeepsWhatIsThereForAnHour() {
        String repository = "push/leases";
        String json = image(repository, random(14));
        var manifest = Digest.parse(pushManifest(repository, "word", json).header("Docker-Content-Digest"));
        var blob = Digest.sha256(random(14));
        String reader = app().key("leases" + seed, "read");
        var paths = List.of("/v2/" + repository + "/blobs/" + blob, "/v2/" + repository + "/manifests/" + manifest);
        paths.forEach(path -> call("HEAD", path, null));
        pass(Duration.ofHours(23).plusMinutes(30));

        for (String path : paths) {
            callAs(reader, "HEAD", path, null);
            call("GET", path, null);
        }
        assertThat(leasedFor(repository, blob, manifest)).allMatch(left -> left.compareTo(Duration.ofHours(1)) < 0);

        for (String path : paths) {
            assertThat(call("HEAD", path, null).status()).isEqualTo(200);
        }
        assertThat(leasedFor(repository, blob, manifest)).allMatch(left -> left.compareTo(Duration.ofHours(1)) > 0);
    }

    private List<Duration> leasedFor(String repository, Digest blob, Digest manifest) {
        var now = app().database().now();
        return app().database()
                .read(tx -> tx.handle()
                        .createQuery("""
                                SELECT l.leased_until FROM link l JOIN blob b ON b.id = l.blob_id
                                JOIN repository r ON r.id = l.repository_id
                                WHERE b.digest = :blob AND r.namespace || '/' || r.name = :repository
                                UNION ALL SELECT leased_until FROM manifest WHERE digest = :manifest
                                """)
                        .bind("blob", blob.toString())
                        .bind("repository", repository)
                        .bind("manifest", manifest.toString())
                        .mapTo(Long.class)
                        .map(until -> Duration.ofMillis(until - now.toEpochMilli()))
                        .list());
    }
}
