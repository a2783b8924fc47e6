package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Which manifests refer to which (distribution-spec, "Listing Referrers").
class V2ReferrersTest extends V2Scenario {
    private static final String EMPTY = """
            {"schemaVersion":2,"mediaType":"%s","manifests":[]}""".formatted(MediaType.IMAGE_INDEX);

    private static String subject(Digest digest) {
        return """
                "subject":{"mediaType":"%s","digest":"%s","size":7}""".formatted(MediaType.IMAGE_MANIFEST, digest);
    }

    /// An image manifest that refers to `subject`; `members` come before its others.
    private String referrer(String repository, Digest subject, int layer, String members) {
        String image = image(repository, random(layer)).replace("\"artifactType\":\"application/x-test\",", "");
        return "{" + members + (members.isEmpty() ? "" : ",") + subject(subject) + "," + image.substring(1);
    }

    private static String index(Digest subject, String members) {
        return "{\"schemaVersion\":2,\"mediaType\":\"%s\",%s%s,\"manifests\":[]}"
                .formatted(MediaType.IMAGE_INDEX, members, subject(subject));
    }

    private Digest push(String repository, String json) {
        var digest = Digest.sha256(utf8(json));
        var type = json.contains("\"manifests\"") ? MediaType.IMAGE_INDEX : MediaType.IMAGE_MANIFEST;
        var pushed = call("PUT", "/v2/" + repository + "/manifests/" + digest, utf8(json), "Content-Type", type);
        assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
        return digest;
    }

    private Reply referrers(String repository, Digest subject, String query) {
        var reply = call("GET", "/v2/" + repository + "/referrers/" + subject + query, null);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.header("Content-Type")).isEqualTo(MediaType.IMAGE_INDEX);
        return reply;
    }

    private static List<String> digests(Reply reply) {
        return reply.json()
                .get("manifests")
                .valueStream()
                .map(entry -> entry.get("digest").stringValue())
                .toList();
    }

    private static JsonNode entry(Reply reply, Digest digest) {
        return reply.json()
                .get("manifests")
                .valueStream()
                .filter(node -> node.get("digest").stringValue().equals(digest.toString()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void nothingRefersToWhatDoesNotExist() {
        pushBlob("refers/empty", random(3));
        for (var algorithm : Digest.Algorithm.values()) {
            var digest = Digest.of(algorithm, random(1));

            assertThat(referrers("refers/empty", digest, "").text()).isEqualTo(EMPTY);
            assertThat(referrers("refers/not-there", digest, "").text()).isEqualTo(EMPTY);
        }
        for (String bad : List.of("sha256:abc", "sha256:" + "A".repeat(64), "md5:" + "0".repeat(32), "latest")) {
            assertRefused(call("GET", "/v2/refers/empty/referrers/" + bad, null), 400, "DIGEST_INVALID");
            assertRefused(call("GET", "/v2/refers/not-there/referrers/" + bad, null), 400, "DIGEST_INVALID");
        }
    }

    @Test
    void whoeverHasACredentialGetsTheEmptyListForMissingAndHidden() {
        pushBlob("refers/hidden", random(4));
        String stranger = app().secondOrganization("referring" + Math.abs(seed));
        String digest = Digest.sha256(random(1)).toString();

        for (String name : List.of("refers/hidden", "refers/missing", "free-" + Math.abs(seed) + "/missing")) {
            String path = "/v2/" + name + "/referrers/" + digest;
            var none = callAs(stranger, "GET", path, null);
            assertThat(none.status()).isEqualTo(200);
            assertThat(none.text()).isEqualTo(EMPTY);
            assertThat(none.header("Content-Type")).isEqualTo(MediaType.IMAGE_INDEX);
            assertThat(callAs(tokenOf(stranger), "GET", path, null).text()).isEqualTo(EMPTY);
            assertRefused(callAs(stranger, "GET", path + "0", null), 400, "DIGEST_INVALID");
            assertRefused(callAs(null, "GET", path, null), 401, "UNAUTHORIZED");
        }
        app().push("refers/open", "1.0.0", "public", "# Open");
        for (String key : new String[] {null, stranger}) {
            assertThat(callAs(key, "GET", "/v2/refers/open/referrers/" + digest, null)
                            .text())
                    .isEqualTo(EMPTY);
        }
    }

    private String tokenOf(String key) {
        return callAs(key, "GET", "/v2/token", null).json().get("token").stringValue();
    }

    @Test
    void referrersAreDescribedByTypeSizeAndAnnotations() {
        String repository = "refers/kinds";
        var subject = Digest.sha256(utf8("a subject that is not there yet"));
        String typed = referrer(
                repository,
                subject,
                40,
                "\"artifactType\":\"a/typed\",\"annotations\":{\"a\":\"\\\"ä\\n\",\"b\":\"\"}");
        String plain = referrer(repository, subject, 41, "");
        String list = index(subject, "\"artifactType\":\"a/index\",");
        String bare = index(subject, "");
        for (String json : List.of(typed, plain, list, bare)) {
            push(repository, json);
        }

        var reply = referrers(repository, subject, "");

        assertThat(digests(reply)).hasSize(4).isSorted();
        var first = entry(reply, Digest.sha256(utf8(typed)));
        assertThat(first.get("mediaType").stringValue()).isEqualTo(MediaType.IMAGE_MANIFEST);
        assertThat(first.get("size").asInt()).isEqualTo(utf8(typed).length);
        assertThat(first.get("artifactType").stringValue()).isEqualTo("a/typed");
        assertThat(first.at("/annotations/a").stringValue()).isEqualTo("\"ä\n");
        assertThat(first.at("/annotations/b").stringValue()).isEmpty();
        var second = entry(reply, Digest.sha256(utf8(plain)));
        assertThat(second.get("artifactType").stringValue()).isEqualTo("application/vnd.oci.empty.v1+json");
        assertThat(second.has("annotations")).isFalse();
        var third = entry(reply, Digest.sha256(utf8(list)));
        assertThat(third.get("mediaType").stringValue()).isEqualTo(MediaType.IMAGE_INDEX);
        assertThat(third.get("artifactType").stringValue()).isEqualTo("a/index");
        assertThat(entry(reply, Digest.sha256(utf8(bare))).has("artifactType")).isFalse();
        assertThat(reply.header("OCI-Filters-Applied")).isEmpty();
        assertThat(reply.header("Link")).isEmpty();
        var head = call("HEAD", "/v2/" + repository + "/referrers/" + subject, null);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("Content-Length"))
                .isEqualTo(Integer.toString(reply.response().body().length));
        assertThat(referrers("refers/empty", subject, "").text()).isEqualTo(EMPTY);
    }

    @Test
    void theFilterIsAppliedAndSaid() {
        String repository = "refers/filtered";
        var subject = Digest.of(Digest.Algorithm.SHA512, random(5));
        var a = push(repository, referrer(repository, subject, 50, "\"artifactType\":\"a/a+b\""));
        push(repository, referrer(repository, subject, 51, "\"artifactType\":\"a/other\""));

        for (String query : List.of("?artifactType=a/a+b", "?artifactType=a%2Fa%2Bb")) {
            var filtered = referrers(repository, subject, query);
            assertThat(digests(filtered)).containsExactly(a.toString());
            assertThat(filtered.header("OCI-Filters-Applied")).isEqualTo("artifactType");
        }
        var none = referrers(repository, subject, "?artifactType=a/none");
        assertThat(none.text()).isEqualTo(EMPTY);
        assertThat(none.header("OCI-Filters-Applied")).isEqualTo("artifactType");
        assertThat(digests(referrers(repository, subject, "?artifactType="))).hasSize(2);
        assertRefused(
                call("GET", "/v2/" + repository + "/referrers/" + subject + "?artifactType=%00", null),
                400,
                "UNSUPPORTED");
    }

    @Test
    void manyReferrersComeInPages() {
        String repository = "refers/many";
        var subject = Digest.sha256(random(6));
        var expected = new ArrayList<String>();
        for (int i = 0; i < 7; i++) {
            String type = i < 5 ? "a/x y" : "a/other";
            expected.add(push(repository, referrer(repository, subject, 60 + i, "\"artifactType\":\"" + type + "\""))
                    .toString());
        }
        expected.sort(null);

        assertThat(follow(repository, "/v2/" + repository + "/referrers/" + subject + "?n=2"))
                .containsExactlyElementsOf(expected);
        assertThat(follow(repository, "/v2/" + repository + "/referrers/" + subject + "?artifactType=a/x%20y&n=2"))
                .hasSize(5);
        assertThat(referrers(repository, subject, "?n=0").text()).isEqualTo(EMPTY);
        assertThat(digests(referrers(repository, subject, "?n=99999999999999999")))
                .hasSize(7);
        for (String bad : List.of("n=-1", "n=abc", "n=", "last=%00", "n=" + "9".repeat(30))) {
            assertRefused(
                    call("GET", "/v2/" + repository + "/referrers/" + subject + "?" + bad, null), 400, "UNSUPPORTED");
        }
    }

    @Test
    void longAnnotationsMakeShortPages() {
        String repository = "refers/long";
        var subject = Digest.sha256(random(7));
        String long1 = "\"annotations\":{\"a\":\"" + "x".repeat(700_000) + "\"}";
        for (int i = 0; i < 3; i++) {
            push(repository, referrer(repository, subject, 70 + i, long1));
        }

        var first = referrers(repository, subject, "");

        assertThat(digests(first)).hasSize(1);
        assertThat(follow(repository, "/v2/" + repository + "/referrers/" + subject))
                .hasSize(3);
    }

    /// The digests of all pages.
    private List<String> follow(String repository, String path) {
        var all = new ArrayList<String>();
        for (String next = path; !next.isEmpty(); ) {
            var page = call("GET", next, null);
            assertThat(page.status()).as(page.text()).isEqualTo(200);
            assertThat(digests(page)).isNotEmpty();
            all.addAll(digests(page));
            String link = page.header("Link");
            assertThat(link)
                    .satisfiesAnyOf(
                            l -> assertThat(l).isEmpty(),
                            l -> assertThat(l)
                                    .startsWith("</v2/" + repository + "/")
                                    .endsWith(">; rel=\"next\""));
            next = link.isEmpty() ? "" : link.substring(1, link.indexOf('>'));
        }
        return all;
    }

    @Test
    void whatStandsUnderTheFallbackTagIsTakenIn() {
        for (var algorithm : Digest.Algorithm.values()) {
            String repository = "refers/fallback-" + algorithm;
            var subject = Digest.of(algorithm, random(8));
            String tag = algorithm + "-" + subject.hex().substring(0, 64);
            String named = referrer(repository, subject, 80, "");
            String listed = image(repository, random(81));
            var both = List.of(push(repository, named), push(repository, listed));
            var entries = both.stream()
                    .map(digest -> "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d}"
                            .formatted(
                                    MediaType.IMAGE_MANIFEST,
                                    digest,
                                    Map.of(both.get(0), utf8(named).length, both.get(1), utf8(listed).length)
                                            .get(digest)))
                    .toList();
            String index = "{\"schemaVersion\":2,\"mediaType\":\"%s\",\"manifests\":[%s]}"
                    .formatted(MediaType.IMAGE_INDEX, String.join(",", entries));

            var tagged = call(
                    "PUT",
                    "/v2/" + repository + "/manifests/" + tag,
                    utf8(index),
                    "Content-Type",
                    MediaType.IMAGE_INDEX);

            assertThat(tagged.status()).as(tagged.text()).isEqualTo(201);
            assertThat(digests(referrers(repository, subject, "")))
                    .containsExactlyInAnyOrder(
                            both.get(0).toString(), both.get(1).toString());

            assertThat(pushManifest(repository, tag, listed).status()).isEqualTo(201);
            assertThat(digests(referrers(repository, subject, "")))
                    .containsExactlyInAnyOrder(
                            both.get(0).toString(), both.get(1).toString());
        }
    }

    @Test
    void aSubjectIsAcknowledgedByTagAndByDigestForImagesAndIndexes() {
        String repository = "refers/acknowledged";
        pushBlob(repository, random(9));
        for (String json :
                List.of(referrer(repository, Digest.sha256(random(9)), 90, ""), index(Digest.sha256(random(9)), ""))) {
            String type = json.contains("\"manifests\"") ? MediaType.IMAGE_INDEX : MediaType.IMAGE_MANIFEST;
            for (String reference : List.of("some", Digest.sha256(utf8(json)).toString())) {
                var pushed =
                        call("PUT", "/v2/" + repository + "/manifests/" + reference, utf8(json), "Content-Type", type);

                assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
                assertThat(pushed.header("OCI-Subject"))
                        .isEqualTo(Digest.sha256(random(9)).toString());
            }
        }
    }

    @Test
    void textsThatNoDatabaseTakesAreRefused() {
        String repository = "refers/texts";
        var subject = Digest.sha256(random(2));
        for (String members : List.of(
                "\"artifactType\":\"a\\u0000b\"",
                "\"artifactType\":\"a\\ud800b\"",
                "\"annotations\":{\"a\":\"\\ud800\"}",
                "\"annotations\":{\"\\udc00\":\"a\"}")) {
            assertRefused(
                    pushManifest(repository, "x", referrer(repository, subject, 95, members)), 400, "MANIFEST_INVALID");
        }
        var nul = push(repository, referrer(repository, subject, 95, "\"annotations\":{\"a\":\"\\u0000\"}"));
        assertThat(entry(referrers(repository, subject, ""), nul)
                        .at("/annotations/a")
                        .stringValue())
                .isEqualTo("\0");
    }
}
