package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Requests to /v2 that are well-formed HTTP and mean harm.
class V2HostileTest extends V2Scenario {
    private static final String REPOSITORY = "hostile/kit";
    private static final List<String> RANGES = List.of(
            "bytes=0-0,-1",
            "bytes=5-4",
            "bytes=-0",
            "bytes=--5",
            "bytes=0-",
            "bytes=a-b",
            "bytes",
            "bytes=",
            "=",
            "bytes=0-999999999999999999",
            "bytes=999999999999999999-",
            "bytes=99999999999999999999-",
            "octets=0-1",
            "bytes=40000-",
            "bytes=39999-",
            "bytes=-40001",
            "bytes= 0 - 5 ",
            "BYTES=0-5",
            "bytes=0x0-0x5",
            "bytes=" + "0-1,".repeat(1_000),
            "bytes=1-2;q=1",
            "bytes=1.0-2.0",
            "bytes=+1-+2");

    @Test
    void rangesOfAnyKindGiveTheWholeAPartOrARefusal() {
        var bytes = random(40_000);
        String path = "/v2/" + REPOSITORY + "/blobs/" + pushBlob(REPOSITORY, bytes);
        for (String range : RANGES) {
            var reply = call("GET", path, null, "Range", range);

            assertThat(reply.status()).as(range).isIn(200, 206, 416);
            if (reply.status() == 200) {
                assertThat(reply.response().body()).as(range).isEqualTo(bytes);
            } else if (reply.status() == 206) {
                var part = reply.header("Content-Range").split("[ /-]");
                assertThat(reply.response().body())
                        .as(range)
                        .isEqualTo(Arrays.copyOfRange(bytes, Integer.parseInt(part[1]), Integer.parseInt(part[2]) + 1));
            } else {
                assertThat(reply.header("Content-Range")).as(range).isEqualTo("bytes */40000");
            }
        }
    }

    @Test
    void aPageMayBeginBehindAnything() {
        pushManifest(REPOSITORY, "t1", image(REPOSITORY, random(1)));
        for (String last :
                List.of("%00", "%ff", "%F0%9F%98%80", "%27%3B--", "%25", "..%2F..", "x".repeat(5_000), "%0a")) {
            for (String list : List.of("/v2/" + REPOSITORY + "/tags/list", "/v2/_catalog")) {
                assertThat(call("GET", list + "?n=1&last=" + last, null).status())
                        .as(last)
                        .isIn(200, 400);
            }
        }
    }

    /// A token names what it is for, so one for very many repositories would be longer than any server takes.
    @Test
    void veryManyScopesAreRefusedAndManyGiveATokenThatWorks() {
        assertThat(token(10_000).status()).isEqualTo(413);
        assertRefused(token(150), 400, "UNSUPPORTED");
        var some = token(50);
        assertThat(some.status()).isEqualTo(200);
        var token = some.json().get("token").stringValue();
        assertThat(callAs(token, "GET", "/v2/", null).status()).isEqualTo(200);
        assertThat(callAs(token, "POST", "/v2/hostile/kit-49/blobs/uploads/", null)
                        .status())
                .isEqualTo(202);
    }

    private Reply token(int scopes) {
        String form = IntStream.range(0, scopes)
                .mapToObj(i -> "scope=repository:hostile/kit-" + i + ":pull,push")
                .collect(Collectors.joining("&"));
        return callAs(
                null,
                "POST",
                "/v2/token",
                utf8("grant_type=password&username=u&password=" + app().admin() + "&" + form),
                "Content-Type",
                "application/x-www-form-urlencoded");
    }

    @Test
    void nestingIsBounded() {
        String good = image(REPOSITORY, random(2));
        for (int depth : new int[] {60, 5_000, 500_000}) {
            for (String nested :
                    List.of("[".repeat(depth) + "]".repeat(depth), "{\"a\":".repeat(depth) + "1" + "}".repeat(depth))) {
                var reply = pushManifest(REPOSITORY, "deep", good.replaceFirst("\\{", "{\"x\":" + nested + ","));
                if (depth < 64) {
                    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
                } else {
                    assertRefused(reply, 400, "MANIFEST_INVALID");
                }
            }
        }
    }

    @Test
    void thousandsOfLayersAreTakenWhereTheyAreThereAndNamedWhereNot() {
        var bytes = utf8("one of very many");
        var digest = pushBlob(REPOSITORY, bytes);
        String one = layer(digest.toString(), bytes.length);
        String same =
                image(REPOSITORY).replace("\"layers\":[]", "\"layers\":[" + (one + ",").repeat(9_999) + one + "]");
        assertThat(pushManifest(REPOSITORY, "same", same).status()).isEqualTo(201);
        assertThat(call("GET", "/v2/" + REPOSITORY + "/manifests/same", null).text())
                .isEqualTo(same);

        String others = IntStream.range(0, 10_000)
                .mapToObj(i -> layer("sha256:%064x".formatted(i), 1))
                .collect(Collectors.joining(","));
        var refused = pushManifest(
                REPOSITORY, "others", image(REPOSITORY).replace("\"layers\":[]", "\"layers\":[" + others + "]"));
        assertRefused(refused, 404, "MANIFEST_BLOB_UNKNOWN");
        assertThat(refused.response().body()).hasSizeLessThan(64 << 10);

        String tooMany = (one + ",").repeat(100_000);
        assertRefused(
                pushManifest(
                        REPOSITORY,
                        "many",
                        image(REPOSITORY).replace("\"layers\":[]", "\"layers\":[" + tooMany + one + "]")),
                413,
                "SIZE_INVALID");
    }

    private static String layer(String digest, int size) {
        return "{\"mediaType\":\"a/b\",\"digest\":\"%s\",\"size\":%d}".formatted(digest, size);
    }

    @Test
    void annotationsOfAnySizeAndAnyTextComeBackAmongTheReferrers() {
        var subject = Digest.sha256(utf8("nothing"));
        String subjectOf = "\"subject\":{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":7},"
                .formatted(MediaType.IMAGE_MANIFEST, subject);
        String good = image(REPOSITORY, random(3)).replaceFirst("\\{", "{" + subjectOf);
        for (String annotations : List.of(
                "\"a\":\"" + "x".repeat(3_000_000) + "\"",
                IntStream.range(0, 50_000).mapToObj(i -> "\"k" + i + "\":\"\"").collect(Collectors.joining(",")),
                "\"nul\\u0000\":\"\\u0000\"",
                "\"\\ud83d\\ude00\":\"\\u202e\"",
                "\"__proto__\":\"x\",\"\":\"\"")) {
            var pushed = pushManifest(
                    REPOSITORY, "annotated", good.replaceFirst("\\{", "{\"annotations\":{" + annotations + "},"));
            assertThat(pushed.status())
                    .as(annotations.substring(0, 20) + pushed.text())
                    .isIn(201, 400);
        }
        assertRefused(
                pushManifest(REPOSITORY, "half", good.replaceFirst("\\{", "{\"annotations\":{\"a\":\"\\\\ud800\"},")),
                400,
                "MANIFEST_INVALID");
        var referrers = call("GET", "/v2/" + REPOSITORY + "/referrers/" + subject, null);
        assertThat(referrers.status()).as(referrers.text()).isEqualTo(200);
        assertThat(referrers.json().get("manifests")).isNotEmpty();
    }

    /// JSON is UTF-8 without a mark (RFC 8259, section 8.1). What only some clients could read is not kept.
    @Test
    void manifestsInOtherEncodingsAreRefused() {
        String good = image(REPOSITORY, random(4));
        for (Charset other : List.of(
                StandardCharsets.UTF_16BE,
                StandardCharsets.UTF_16LE,
                StandardCharsets.UTF_16,
                Charset.forName("UTF-32"))) {
            assertRefused(pushBytes(good.getBytes(other)), 400, "MANIFEST_INVALID");
        }
        assertRefused(pushBytes(utf8("\uFEFF" + good)), 400, "MANIFEST_INVALID");
        for (String junk :
                List.of("\u00ff", "\u00c3\u0028", "\u00ed\u00a0\u0080", "\u00f8\u0088\u0080\u0080\u0080", "\0")) {
            String broken = good.replaceFirst("\\{", "{\"annotations\":{\"a\":\"" + junk + "\"},");
            assertRefused(pushBytes(broken.getBytes(StandardCharsets.ISO_8859_1)), 400, "MANIFEST_INVALID");
        }
    }

    private Reply pushBytes(byte[] bytes) {
        return call("PUT", "/v2/" + REPOSITORY + "/manifests/encoded", bytes, "Content-Type", MediaType.IMAGE_MANIFEST);
    }

    /// The config of a version is read, so it too may mean harm.
    @Test
    void aConfigThatIsNoneIsRefused() {
        for (String config : List.of(
                "",
                "[]",
                "7",
                "{\"name\":7}",
                "{\"name\":\"x\",\"assets\":7}",
                "{\"name\":\"\\ud800\"}",
                "{\"name\":\"x\",\"assets\":[7]}",
                "{\"name\":\"x\",\"assets\":[" + ASSET.replace("\"a\"", "\"../a\"") + "]}",
                "[".repeat(20_000),
                "{\"name\":\"" + "x".repeat(100_000) + "\"}",
                "\0")) {
            assertRefused(pushVersion("1.0.0", config, ""), 400, "MANIFEST_INVALID");
        }
    }

    private static final String ASSET = """
            {"logical_path":"a","asset_type":"skill","content_sha256":"%s","size":1,"media_type":"text/plain"}""".formatted(Digest.sha256(utf8("x")).hex());

    private Reply pushVersion(String version, String config, String layers) {
        return pushVersion("hostile/config", version, config, layers);
    }

    private Reply pushVersion(String repository, String version, String config, String layers) {
        pushBlob(repository, utf8(config));
        return pushManifest(repository, version, """
                {"schemaVersion":2,"mediaType":"%s","config":%s,"layers":[%s]}""".formatted(
                        MediaType.IMAGE_MANIFEST, descriptor(MediaType.BUNDLE_CONFIG, utf8(config)), layers));
    }

    /// As by JSON: no database indexes a name of any length.
    @Test
    void aNameInAConfigHasTheLengthOfANameByJson() {
        app().push("hostile/named", "1.0.0", "public", "x");
        var words = new StringBuilder();
        for (int i = 0; words.length() < 3_900; i++) {
            words.append(Integer.toHexString(0x12345 * i * i)).append(' ');
        }

        pushBlob("hostile/named", utf8("x"));
        String layer = """
                {"mediaType":"text/plain","digest":"%s","size":1,"annotations":{"org.opencontainers.image.title":"a"}}""".formatted(Digest.sha256(utf8("x")));

        var most = pushVersion("hostile/named", "2.0.0", "{\"name\":\"" + "x".repeat(200) + "\"}", layer);
        var more = pushVersion("hostile/named", "3.0.0", "{\"name\":\"" + words + "\"}", layer);

        assertThat(most.status()).as(most.text()).isEqualTo(201);
        assertRefused(more, 400, "MANIFEST_INVALID");
    }

    /// What the config says counts only where it says what the layers are; two assets of one path are refused.
    @Test
    void aConfigOfOtherAssetsThanTheLayersIsPassedOver() {
        pushBlob("hostile/config", utf8("x"));
        String twice = "{\"name\":\"x\",\"assets\":[" + ASSET + "," + ASSET + "]}";
        String negative = "{\"name\":\"x\",\"assets\":[" + ASSET.replace(":1,", ":-1,") + "]}";
        String layer = """
                {"mediaType":"text/plain","digest":"%s","size":1,"annotations":{"org.opencontainers.image.title":"a"}}""".formatted(Digest.sha256(utf8("x")));

        assertThat(pushVersion("1.0.0", twice, "").status())
                .as("a bundle of nothing")
                .isEqualTo(400);
        assertThat(pushVersion("1.1.0", negative, layer).status()).isEqualTo(201);
        assertThat(pushVersion("1.2.0", twice, layer).status()).isEqualTo(201);
        assertThat(pushVersion("1.3.0", twice, layer + "," + layer).status()).isBetween(400, 499);
    }

    /// Each of them would be an object in memory, and in a map whose keys the sender chose.
    @Test
    void aManifestHasABoundedNumberOfAnnotationsAndDescriptors() {
        String many =
                IntStream.range(0, 1_001).mapToObj(i -> "\"a" + i + "\":\"\"").collect(Collectors.joining(","));
        String config = "{\"mediaType\":\"a/b\",\"digest\":\"" + Digest.sha256(utf8("{}")) + "\",\"size\":2}";
        String start = "{\"schemaVersion\":2,\"config\":" + config + ",\"layers\":";

        var annotated = pushManifest("hostile/many", "some-tag", start + "[],\"annotations\":{" + many + "}}");
        var layer = pushManifest(
                "hostile/many",
                "some-tag",
                start + "[" + config.replace("}", ",\"annotations\":{" + many + "}}") + "]}");
        var layers = pushManifest("hostile/many", "some-tag", start + "[" + "{},".repeat(10_000) + "{}]}");

        assertRefused(annotated, 400, "MANIFEST_INVALID");
        assertThat(annotated.text()).contains("annotations has 1001 members; the limit is 1000");
        assertRefused(layer, 400, "MANIFEST_INVALID");
        assertThat(layer.text()).contains("layers[0].annotations has 1001 members; the limit is 1000");
        assertRefused(layers, 400, "MANIFEST_INVALID");
        assertThat(layers.text()).contains("layers has 10001 descriptors; the limit is 10000");
    }
}
