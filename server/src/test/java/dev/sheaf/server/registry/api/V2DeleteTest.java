package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Together;
import dev.sheaf.server.testing.V2Scenario;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Deleting manifests, tags and blobs (distribution-spec, "Content Management").
class V2DeleteTest extends V2Scenario {
    private static String manifests(String repository) {
        return "/v2/" + repository + "/manifests/";
    }

    private Reply delete(String path) {
        return call("DELETE", path, null);
    }

    private Digest pushed(String repository, String reference, String json) {
        var reply = pushManifest(repository, reference, json);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return Digest.parse(reply.header("Docker-Content-Digest"));
    }

    private void assertRefusedFor(Reply reply, String... words) {
        assertRefused(reply, 409, "DENIED");
        assertThat(reply.text()).contains(words);
    }

    private long rows(String sql, Object value) {
        return app().database()
                .read(tx -> tx.handle()
                        .createQuery(sql)
                        .bind(0, value)
                        .mapTo(Long.class)
                        .one());
    }

    @Test
    void aManifestIsGoneAtOnceAndItsTagsWithIt() {
        String repository = "delete/manifest";
        String json = image(repository, random(10));
        var digest = pushed(repository, "one", json);
        pushed(repository, "two", json);
        pushed(repository, "three", image(repository, random(11)));

        var deleted = delete(manifests(repository) + digest);

        assertThat(deleted.status()).as(deleted.text()).isEqualTo(202);
        for (String gone : List.of("one", "two", digest.toString())) {
            assertThat(call("HEAD", manifests(repository) + gone, null).status())
                    .isEqualTo(404);
            assertRefused(delete(manifests(repository) + gone), 404, "MANIFEST_UNKNOWN");
        }
        assertThat(call("GET", "/v2/" + repository + "/tags/list", null)
                        .json()
                        .get("tags")
                        .toString())
                .isEqualTo("[\"three\"]");
        assertThat(rows(
                        "SELECT count(*) FROM event WHERE type = 'manifest.deleted' AND subject = ?",
                        repository + "@" + digest))
                .isEqualTo(1);
        assertThat(rows("SELECT count(*) FROM audit WHERE action = 'tag.delete' AND subject = ?", repository + ":one"))
                .isEqualTo(1);
        assertThat(pushed(repository, "one", json)).isEqualTo(digest);
        assertThat(call("GET", manifests(repository) + "one", null).text()).isEqualTo(json);
    }

    @Test
    void aTagIsRemovedAndItsManifestStays() {
        String repository = "delete/tag";
        var digest = pushed(repository, "word", image(repository, random(12)));

        assertThat(delete(manifests(repository) + "word").status()).isEqualTo(202);

        assertThat(call("HEAD", manifests(repository) + "word", null).status()).isEqualTo(404);
        assertThat(call("HEAD", manifests(repository) + digest, null).status()).isEqualTo(200);
        assertRefused(delete(manifests(repository) + "word"), 404, "MANIFEST_UNKNOWN");
        assertRefused(delete(manifests(repository) + "-x"), 400, "MANIFEST_INVALID");
        assertRefused(delete(manifests(repository) + "sha256:abc"), 400, "DIGEST_INVALID");
        assertThat(rows("SELECT count(*) FROM event WHERE type = 'tag.deleted' AND subject = ?", repository + ":word"))
                .isEqualTo(1);
    }

    @Test
    void whatBelongsToAVersionStays() {
        String repository = "delete/version";
        String json = image(repository, random(13));
        var digest = pushed(repository, "1.0.0", json);
        pushed(repository, "word", json);

        for (String reference : List.of("1.0.0", digest.toString())) {
            assertRefusedFor(delete(manifests(repository) + reference), "version 1.0.0", "yank or delete the version");
        }
        assertRefusedFor(delete(manifests(repository) + "latest"), "managed by the registry");
        var layer = Digest.sha256(random(13));
        assertRefusedFor(delete("/v2/" + repository + "/blobs/" + layer), digest.toString());

        assertThat(delete(manifests(repository) + "word").status()).isEqualTo(202);
        for (String there : List.of("1.0.0", "latest", digest.toString())) {
            assertThat(call("HEAD", manifests(repository) + there, null).status())
                    .isEqualTo(200);
        }
        assertThat(call("GET", "/v2/" + repository + "/blobs/" + layer, null).status())
                .isEqualTo(200);
    }

    @Test
    void latestThatWasPinnedGoesBackToTheHighestVersion() {
        String repository = "delete/latest";
        String first = image(repository, random(14));
        String second = image(repository, random(15));
        pushed(repository, "1.0.0", first);
        pushed(repository, "2.0.0", second);
        pushed(repository, "latest", first);
        String resolve = "/v1/namespaces/delete/bundles/latest:resolve";
        assertThat(call("GET", resolve, null).json().get("version").stringValue())
                .isEqualTo("1.0.0");

        assertThat(delete(manifests(repository) + "latest").status()).isEqualTo(202);

        assertThat(call("GET", manifests(repository) + "latest", null).text()).isEqualTo(second);
        assertThat(call("GET", resolve, null).json().get("version").stringValue())
                .isEqualTo("2.0.0");
        var history = call("GET", resolve.replace(":resolve", "/tags/latest/history"), null)
                .json()
                .get("data");
        assertThat(history.get(0).get("oldVersion").stringValue()).isEqualTo("1.0.0");
        assertThat(history.get(0).get("newVersion").stringValue()).isEqualTo("2.0.0");
        List<String> events = app().database()
                .read(tx -> tx.handle()
                        .createQuery("SELECT type FROM event WHERE subject = :subject")
                        .bind("subject", repository + ":latest")
                        .mapTo(String.class)
                        .list());
        assertThat(events).containsExactlyInAnyOrder("tag.moved", "tag.unpinned");
        pushed("delete/unversioned", "latest", image("delete/unversioned", random(17)));
        assertThat(delete(manifests("delete/unversioned") + "latest").status()).isEqualTo(202);
        assertThat(call("HEAD", manifests("delete/unversioned") + "latest", null)
                        .status())
                .isEqualTo(404);
    }

    @Test
    void whatAnIndexListsStaysUntilTheIndexIsGone() {
        String repository = "delete/index";
        String json = image(repository, random(18));
        var child = pushed(repository, "child", json);
        String index = """
                {"schemaVersion":2,"mediaType":"%s","manifests":[%s]}""".formatted(MediaType.IMAGE_INDEX, descriptor(MediaType.IMAGE_MANIFEST, utf8(json)));
        var parent = Digest.sha256(utf8(index));
        call("PUT", manifests(repository) + parent, utf8(index), "Content-Type", MediaType.IMAGE_INDEX);

        assertRefusedFor(delete(manifests(repository) + child), parent.toString());
        assertThat(call("HEAD", manifests(repository) + "child", null).status()).isEqualTo(200);

        assertThat(delete(manifests(repository) + parent).status()).isEqualTo(202);
        assertThat(delete(manifests(repository) + child).status()).isEqualTo(202);
    }

    @Test
    void aDeletedReferrerIsNoLongerListedAndADanglingOneIs() {
        String repository = "delete/referrer";
        String subject = image(repository, random(19));
        var target = pushed(repository, Digest.sha256(utf8(subject)).toString(), subject);
        String json = image(repository, random(20))
                .replaceFirst("\\{", "{\"subject\":" + descriptor(MediaType.IMAGE_MANIFEST, utf8(subject)) + ",");
        var referrer = pushed(repository, Digest.sha256(utf8(json)).toString(), json);
        String referrers = "/v2/" + repository + "/referrers/" + target;

        assertThat(delete(manifests(repository) + target).status()).isEqualTo(202);
        assertThat(call("GET", referrers, null).text()).contains(referrer.toString());

        assertThat(delete(manifests(repository) + referrer).status()).isEqualTo(202);
        assertThat(call("GET", referrers, null).text()).doesNotContain(referrer.toString());
    }

    @Test
    void aBlobIsGoneFromThisRepositoryAndItsBytesWithTheLast() {
        for (int size : new int[] {0, 20, 100_000}) {
            var bytes = random(size + 21);
            var digest = pushBlob("delete/one", bytes);
            pushBlob("delete/two", bytes);
            String first = "/v2/delete/one/blobs/" + digest;
            String second = "/v2/delete/two/blobs/" + digest;
            assertThat(call("GET", first, null).status()).isEqualTo(200);
            long waiting = rows("SELECT count(*) FROM object_deletion WHERE kind = ?", "object");

            assertThat(delete(first).status()).isEqualTo(202);
            assertThat(call("HEAD", first, null).status()).isEqualTo(404);
            assertRefused(delete(first), 404, "BLOB_UNKNOWN");
            assertThat(call("GET", second, null).response().body()).isEqualTo(bytes);
            assertThat(rows("SELECT count(*) FROM object_deletion WHERE kind = ?", "object"))
                    .isEqualTo(waiting);

            assertThat(delete(second).status()).isEqualTo(202);
            assertThat(call("HEAD", second, null).status()).isEqualTo(404);
            assertThat(rows("SELECT count(*) FROM blob WHERE digest = ?", digest.toString()))
                    .isZero();
            assertThat(rows("SELECT count(*) FROM object_deletion WHERE kind = ?", "object"))
                    .isEqualTo(waiting + (size > 32_768 ? 1 : 0));

            pushBlob("delete/one", bytes);
            assertThat(call("GET", first, null).response().body()).isEqualTo(bytes);
        }
        assertRefused(delete("/v2/delete/one/blobs/sha256:abc"), 400, "DIGEST_INVALID");
    }

    @Test
    void aBlobInUseStaysUntilItsManifestIsGone() {
        String repository = "delete/used";
        var digest = pushed(repository, "word", image(repository, random(22)));
        String blob = "/v2/" + repository + "/blobs/" + Digest.sha256(random(22));

        assertRefusedFor(delete(blob), digest.toString());

        assertThat(delete(manifests(repository) + digest).status()).isEqualTo(202);
        assertThat(delete(blob).status()).isEqualTo(202);
    }

    /// No way to delete skips what another one asks (CVE-2026-41888).
    @Test
    void everyDeleteAsksForTheSameRights() {
        String repository = "delete/rights";
        String json = image(repository, random(23));
        var digest = pushed(repository, "word", json);
        var loose = pushBlob(repository, random(24));
        app().push("delete/open", "1.0.0", "public", "# Open");
        String reader = app().key("reader" + seed, "read");
        String basic = "Basic " + Base64.getEncoder().encodeToString(utf8("any:" + reader));
        String stranger = app().secondOrganization("deleting" + Math.abs(seed));
        String pushToken = token("pull,push");
        String deleteToken = token("pull,delete");
        var paths = List.of(
                manifests(repository) + "word",
                manifests(repository) + digest,
                "/v2/" + repository + "/blobs/" + loose);
        for (String path : paths) {
            assertRefused(callAs(null, "DELETE", path, null), 401, "UNAUTHORIZED");
            assertRefused(callAs(reader, "DELETE", path, null), 403, "DENIED");
            assertRefused(callAs(null, "DELETE", path, null, "Authorization", basic), 403, "DENIED");
            assertRefused(callAs(stranger, "DELETE", path, null), 404, "NAME_UNKNOWN");
            assertRefused(callAs(stranger, "DELETE", path.replace(repository, "delete/open"), null), 403, "DENIED");
            var narrow = callAs(pushToken, "DELETE", path, null);
            assertRefused(narrow, 401, "UNAUTHORIZED");
            assertThat(narrow.header("WWW-Authenticate"))
                    .contains("scope=\"repository:" + repository + ":pull,push,delete\"", "insufficient_scope");
            assertThat(call("HEAD", path, null).status()).isEqualTo(200);
        }
        for (String path : paths) {
            assertThat(callAs(deleteToken, "DELETE", path, null).status()).isEqualTo(202);
        }
    }

    private String token(String actions) {
        return call("GET", "/v2/token?scope=repository:delete/rights:" + actions, null)
                .json()
                .get("token")
                .stringValue();
    }

    @Test
    void deletesUploadsAndPushesOfTheSameContentNeverBreakEachOther() throws Exception {
        var bytes = random(40_000);
        var digest = Digest.sha256(bytes);
        var statuses = Together.run(24, i -> () -> {
            String repository = "delete/race-" + i % 3;
            String blob = "/v2/" + repository + "/blobs/" + digest;
            int status = 0;
            for (int round = 0; round < 8; round++) {
                status = Math.max(
                        status,
                        switch (i % 4) {
                            case 0 -> delete(blob).status();
                            case 1 ->
                                call("POST", "/v2/" + repository + "/blobs/uploads/?digest=" + digest, bytes)
                                        .status();
                            case 2 ->
                                call(
                                                "POST",
                                                "/v2/" + repository + "/blobs/uploads/?mount=" + digest
                                                        + "&from=delete/race-1",
                                                null)
                                        .status();
                            default ->
                                pushManifest(repository, "x" + i, raced(repository, bytes))
                                        .status();
                        });
            }
            return status;
        });

        assertThat(statuses).allMatch(status -> List.of(201, 202, 404, 409).contains(status), "seed " + seed);
        for (int i = 0; i < 3; i++) {
            pushBlob("delete/race-" + i, bytes);
            assertThat(call("GET", "/v2/delete/race-" + i + "/blobs/" + digest, null)
                            .response()
                            .body())
                    .isEqualTo(bytes);
        }
    }

    private String raced(String repository, byte[] layer) {
        var config = utf8("{}");
        pushBlob(repository, config);
        return """
                {"schemaVersion":2,"mediaType":"%s","config":%s,"layers":[%s]}""".formatted(
                        MediaType.IMAGE_MANIFEST,
                        descriptor("application/vnd.oci.empty.v1+json", config),
                        descriptor("text/plain", layer));
    }
}
