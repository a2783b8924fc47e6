package dev.sheaf.server.registry.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Digest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteMethod;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.V2Scenario;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What no conformance suite asks of a registry, and what clients and proxies do all the same.
class V2EdgesTest extends V2Scenario {
    private static final int LARGEST_BLOB = 100_000;

    @Override
    public Map<String, String> settings() {
        return Map.of("max-blob-bytes", Integer.toString(LARGEST_BLOB), "memory-budget-bytes", "1500000");
    }

    /// The answer to a request that is sent as it stands, but for its end.
    private String raw(String request, String... headers) throws IOException {
        try (var socket = new Socket("127.0.0.1", Integer.parseInt(app().host().split(":")[1]))) {
            String text = request + " HTTP/1.1\r\n" + String.join("\r\n", headers) + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private String authorization() {
        return "Authorization: Bearer " + app().admin();
    }

    // --- HEAD and GET ---

    /// Every route that is read, by GET and by HEAD: what there is and what there is not, with a key and without.
    @Test
    void headAnswersLikeGet() {
        String json = image("edges/parity", random(10));
        String digest = Digest.sha256(utf8(json)).toString();
        pushManifest("edges/parity", digest + "?tag=1.0.0&tag=word", json);
        String blob = Digest.sha256(random(10)).toString();
        String upload = begin("edges/parity");
        var values = Map.of(
                "{reference}", List.of("word", digest, "none", "bad:digest"),
                "{digest}", List.of(blob, digest, "sha256:" + "0".repeat(64), "x"),
                "{upload_id}", List.of(upload.substring(upload.lastIndexOf('/') + 1), "none"));
        var paths = app().routes().stream()
                .filter(route ->
                        route.method() == RouteMethod.GET && route.pattern().startsWith("/v2"))
                .map(Route::pattern)
                .flatMap(pattern -> values.entrySet().stream()
                        .filter(entry -> pattern.contains(entry.getKey()))
                        .findFirst()
                        .map(entry -> entry.getValue().stream().map(value -> pattern.replace(entry.getKey(), value)))
                        .orElseGet(() -> Stream.of(pattern)))
                .map(path ->
                        path.replace("{namespace}/{bundle}", "edges/parity").replace("{skill}", "parity"))
                .toList();
        assertThat(paths).hasSizeGreaterThan(15).allMatch(path -> !path.contains("{"));
        for (String path : paths) {
            for (String key : new String[] {app().admin(), null, "nonsense"}) {
                var get = callAs(key, "GET", path, null);
                var head = callAs(key, "HEAD", path, null);
                assertThat(head.status()).as(path).isEqualTo(get.status());
                assertThat(head.response().body()).isEmpty();
                if (!path.equals("/v2/token")) { // of which no two are the same
                    assertThat(comparable(head)).as(path).isEqualTo(comparable(get));
                }
            }
        }
    }

    private static Map<String, List<String>> comparable(Reply reply) {
        var headers = new TreeMap<>(reply.response().headers().map());
        List.of("x-request-id", "x-trace-id", "date").forEach(headers::remove);
        return headers;
    }

    // --- sizes ---

    @Test
    void aBlobBeyondTheLimitIsRefusedByEveryPath() {
        var large = random(LARGEST_BLOB + 1);
        var digest = Digest.sha256(large);
        String uploads = "/v2/edges/large/blobs/uploads/";
        var chunked = begin("edges/large");
        call("PATCH", chunked, random(LARGEST_BLOB));

        assertRefused(call("POST", uploads + "?digest=" + digest, large), 413, "SIZE_INVALID");
        assertRefused(call("PUT", begin("edges/large") + "?digest=" + digest, large), 413, "SIZE_INVALID");
        assertRefused(call("PATCH", begin("edges/large"), large), 413, "SIZE_INVALID");
        assertRefused(call("PATCH", chunked, random(1)), 413, "SIZE_INVALID");
        assertRefused(stream("PATCH", begin("edges/large"), large), 413, "SIZE_INVALID");
        assertRefused(stream("POST", uploads + "?digest=" + digest, large), 413, "SIZE_INVALID");
        assertThat(call("HEAD", "/v2/edges/large/blobs/" + digest, null).status())
                .isEqualTo(404);
        pushBlob("edges/large", random(LARGEST_BLOB));
    }

    /// Without announcing a length.
    private Reply stream(String method, String path, byte[] bytes) {
        return app().send(app().request(method, path, app().admin(), null)
                .method(method, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(bytes))));
    }

    @Test
    void aBodyThatMemoryNeverHasRoomForIsTooLarge() {
        String json =
                image("edges/memory", random(11)).replaceFirst("\\{", "{\"x\":\"" + "x".repeat(2_000_000) + "\",");

        var refused = app().send(app().request("PUT", "/v2/edges/memory/manifests/word", app().admin(), null)
                .header("Content-Type", MediaType.IMAGE_MANIFEST)
                .PUT(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(utf8(json)))));

        assertRefused(refused, 413, "SIZE_INVALID");
        assertThat(refused.header("Retry-After")).isEmpty();
        assertThat(pushManifest("edges/memory", "word", image("edges/memory", random(11)))
                        .status())
                .isEqualTo(201);
    }

    // --- negotiation ---

    /// skopeo sends six lines; a client that cannot read the type finds out by it.
    @Test
    void aManifestIsServedWhateverIsAccepted() throws Exception {
        String json = image("edges/accept", random(12));
        pushManifest("edges/accept", "word", json);
        for (String[] accept : new String[][] {
            {},
            {"Accept: text/plain"},
            {"Accept: " + MediaType.IMAGE_INDEX, "Accept: application/json", "Accept: " + MediaType.DOCKER_LIST},
            {"Accept: a, b;q=0.5", "Accept: */*;q=0", "Accept:", "Accept: ;,", "Accept-Encoding: gzip, br"}
        }) {
            var headers = new ArrayList<>(List.of("Host: x", authorization()));
            headers.addAll(List.of(accept));
            String reply = raw("GET /v2/edges/accept/manifests/word", headers.toArray(String[]::new));

            assertThat(reply).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n" + json);
            assertThat(reply).containsIgnoringCase("Content-Type: " + MediaType.IMAGE_MANIFEST + "\r\n");
            assertThat(reply).doesNotContainIgnoringCase("Content-Encoding");
        }
    }

    @Test
    void aTypesParametersAreNotKept() {
        String json = image("edges/type", random(13));

        call(
                "PUT",
                "/v2/edges/type/manifests/word",
                utf8(json),
                "Content-Type",
                MediaType.IMAGE_MANIFEST.replace("application", "Application") + "; charset=utf-8");

        assertThat(call("GET", "/v2/edges/type/manifests/word", null).header("Content-Type"))
                .isEqualTo(MediaType.IMAGE_MANIFEST);
    }

    // --- hosts and proxies ---

    @Test
    void theRealmIsOnTheHostThatWasUsed() throws Exception {
        for (String host : List.of("[::1]:5000", "localhost:5000", "x", "127.0.0.1:1")) {
            String reply = raw("GET /v2/", "Host: " + host);

            assertThat(reply).startsWith("HTTP/1.1 401");
            assertThat(reply).contains("realm=\"http://" + host + "/v2/token\"").contains("service=\"" + host + "\"");
        }
    }

    @Test
    void aHostThatIsNotOursIsNamedNowhere() throws Exception {
        for (String host : List.of("registry.example", "[2001:db8::1]", "192.0.2.1:5000")) {
            String reply = raw("GET /v2/", "Host: " + host);

            assertThat(reply).startsWith("HTTP/1.1 421").contains("\"UNSUPPORTED\"", "allowed-hosts");
            assertThat(reply).doesNotContainIgnoringCase("realm=", "http://" + host);
        }
    }

    /// Locations are relative, so that they are right behind any proxy and lead nowhere else.
    @Test
    void locationsNameNoHost() {
        String[] forwarded = {
            "X-Forwarded-Host", "evil.example",
            "X-Forwarded-Proto", "https",
            "X-Forwarded-Prefix", "/evil",
            "X-Original-URL", "/v2/evil/",
            "Forwarded", "for=1.2.3.4;host=evil.example"
        };
        var bytes = random(14);
        var begun = call("POST", "/v2/edges/where/blobs/uploads/", null, forwarded);
        String upload = begun.header("Location");
        var patched = call("PATCH", upload, bytes, forwarded);
        var finished = call("PUT", upload + "?digest=" + Digest.sha256(bytes), null, forwarded);
        var mounted = call(
                "POST",
                "/v2/edges/where-else/blobs/uploads/?from=edges/where&mount=" + Digest.sha256(bytes),
                null,
                forwarded);
        String json = image("edges/where", bytes);
        var pushed = call("PUT", "/v2/edges/where/manifests/a", utf8(json), and(forwarded, MediaType.IMAGE_MANIFEST));
        pushManifest("edges/where", "b", json);
        var page = call("GET", "/v2/edges/where/tags/list?n=1", null, forwarded);

        for (var reply : List.of(begun, patched, finished, mounted, pushed)) {
            assertThat(reply.status()).as(reply.text()).isBetween(201, 202);
            assertThat(reply.header("Location")).startsWith("/v2/edges/where");
        }
        assertThat(page.header("Link")).startsWith("</v2/edges/where/tags/list?");
    }

    private static String[] and(String[] headers, String type) {
        var all = new ArrayList<>(List.of(headers));
        all.addAll(List.of("Content-Type", type));
        return all.toArray(String[]::new);
    }

    // --- paths ---

    @Test
    void noPathLeadsElsewhere() throws Exception {
        pushBlob("edges/paths", random(15));
        String blob = Digest.sha256(random(15)).toString();
        for (String path : List.of(
                "/v2/edges/other/../paths/blobs/" + blob,
                "/v2/edges/other/%2e%2e/paths/blobs/" + blob,
                "/v2/edges/other%2f..%2fpaths/blobs/" + blob,
                "/v2/edges%2fpaths/blobs/" + blob,
                "/v2//edges/paths/blobs/" + blob,
                "/v2/edges/paths/blobs/" + blob + "/",
                "/v2/edges/paths/blobs/" + blob + "%00",
                "/v2/edges/paths/blobs/..%2f..%2fpaths/blobs/" + blob,
                "/v2/edges/paths;x=1/blobs/" + blob,
                "/v2/edges/paths/blobs/" + blob.replace("sha256:", "sha256/"),
                "/v2/edges/paths/blobs/%c0%ae%c0%ae",
                "/v2/edges/paths/manifests/..%2f..%2f..%2fetc%2fpasswd",
                "/v2/edges/paths/blobs/uploads/..%2f..%2f" + blob,
                "/V2/edges/paths/blobs/" + blob)) {
            String reply = raw("GET " + path, "Host: x", authorization());

            assertThat(reply).as(path).matches("(?s)HTTP/1\\.1 40[04] .*");
            assertThat(reply).doesNotContain("passwd:").doesNotContain("\tat ");
        }
        assertThat(raw("GET /v2/edges/paths/blobs/" + blob.replace(":", "%3A"), "Host: x", authorization()))
                .as("a colon may be encoded")
                .startsWith("HTTP/1.1 200");
    }

    // --- pages ---

    /// Clients that know no pages would miss what stands on the second.
    @Test
    void aThousandTagsAreOnePageAndLinksLeadThroughThem() {
        String json = image("edges/many", random(16));
        var names = IntStream.range(0, 1_200).mapToObj("t%04d"::formatted).toList();
        pushManifest("edges/many", "t", json);
        app().database().write(tx -> {
            var batch = tx.handle().prepareBatch("""
                    INSERT INTO tag (repository_id, name, manifest_id, kind, updated_at)
                    SELECT t.repository_id, :name, t.manifest_id, t.kind, t.updated_at
                    FROM tag t JOIN repository r ON r.id = t.repository_id
                    WHERE t.name = 't' AND r.namespace = 'edges' AND r.name = 'many'
                    """);
            names.forEach(name -> batch.bind("name", name).add());
            return batch.execute().length;
        });
        call("DELETE", "/v2/edges/many/manifests/t", null);
        var whole = call("GET", "/v2/edges/many/tags/list", null);
        assertThat(whole.json().get("tags")).hasSize(1_200);
        assertThat(whole.header("Link")).isEmpty();

        var followed = new ArrayList<String>();
        for (String next = "/v2/edges/many/tags/list?n=500"; !next.isEmpty(); ) {
            var page = call("GET", next, null);
            page.json().get("tags").forEach(tag -> followed.add(tag.stringValue()));
            String link = page.header("Link");
            next = link.isEmpty() ? "" : link.substring(1, link.indexOf('>'));
        }
        assertThat(followed).isEqualTo(names);
    }

    @Test
    void aPageSizeIsAWholeNumber() {
        pushBlob("edges/pages", random(17));
        for (String list : List.of(
                "/v2/_catalog",
                "/v2/edges/pages/tags/list",
                "/v2/edges/pages/referrers/" + Digest.sha256(random(17)))) {
            for (String bad : List.of("-1", "abc", "1.5", "", "0x10", "+1", "%31%00", "1%20")) {
                assertRefused(call("GET", list + "?n=" + bad, null), 400, "UNSUPPORTED");
            }
            assertThat(call("GET", list + "?last=%FF", null).status()).isEqualTo(400);
            assertThat(call("GET", list + "?n=1&n=x", null).status()).isEqualTo(200);
        }
    }
}
