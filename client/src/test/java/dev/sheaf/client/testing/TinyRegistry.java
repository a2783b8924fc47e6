package dev.sheaf.client.testing;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.Digest;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.bundle.PushRequest;
import dev.sheaf.model.wire.key.ApiKey;
import dev.sheaf.model.wire.key.ApiKeyRequest;
import dev.sheaf.model.wire.key.Identity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// A minimal registry over real HTTP on a free loopback port. Answers honestly unless a test replaces an answer.
/// Records every request.
public final class TinyRegistry implements AutoCloseable {
    /// The only accepted key, once [#requireKey] was called.
    public static final String KEY = "shf_tinyRegistryKeyForTests0000000000";

    public static final UUID ORGANIZATION = UUID.fromString("01900000-0000-7000-8000-000000000001");
    private static final Pattern RESOLVE = Pattern.compile("/v1/namespaces/([^/]+)/bundles/([^/:]+):resolve");
    private static final Pattern PULL =
            Pattern.compile("/v1/namespaces/([^/]+)/bundles/([^/:]+)/versions/([^/]+):pull");
    private static final Pattern PUSH = Pattern.compile("/v1/namespaces/([^/]+)/bundles/([^/:]+):push");
    private static final Pattern BUNDLE = Pattern.compile("/v1/namespaces/([^/]+)/bundles/([^/:]+)");
    private static final Pattern KEYS = Pattern.compile("/v1/organizations/([^/]+)/api-keys(?:/(.+))?");
    private static final Pattern V2 = Pattern.compile("/v2/([^/]+/[^/]+)/(blobs|manifests)/(.+)");

    /// A received request. `query` is null if there was none.
    public record Seen(String method, String path, @Nullable String query, Headers headers) {}

    /// A replaced answer.
    public interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    public final TinyContent content = new TinyContent();

    /// The messages of the pushes, in order; empty for none.
    public final List<String> messages = new CopyOnWriteArrayList<>();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private final Map<String, Answer> replaced = new ConcurrentHashMap<>();
    private final Map<UUID, ApiKey> keys = new ConcurrentHashMap<>();
    private final AtomicLong contentBytes = new AtomicLong();
    private volatile boolean keyRequired;
    private volatile boolean answersPull;

    private final String host;

    private TinyRegistry(HttpServer server, String host) {
        this.server = server;
        this.host = host;
    }

    public static TinyRegistry start() {
        return start("127.0.0.1", null);
    }

    /// Starts a registry known as `host`, which a proxy may have to find; it uses TLS if `tls` is not null.
    public static TinyRegistry start(String host, @Nullable SSLContext tls) {
        try {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            var tiny = new TinyRegistry(
                    tls == null ? HttpServer.create(address, 0) : HttpsServer.create(address, 0), host);
            if (tiny.server instanceof HttpsServer secure) {
                secure.setHttpsConfigurator(new HttpsConfigurator(tls));
            }
            tiny.server.createContext("/", tiny::handle);
            tiny.server.setExecutor(tiny.threads);
            tiny.server.start();
            return tiny;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public RegistryUrl url() {
        String scheme = server instanceof HttpsServer ? "https://" : "http://";
        return RegistryUrl.parse(scheme + host + ":" + server.getAddress().getPort());
    }

    /// Returns the requests whose path contains `part`, in order of arrival.
    public List<Seen> requests(String part) {
        return seen.stream().filter(request -> request.path().contains(part)).toList();
    }

    /// Answers requests whose path contains `part` this way from now on.
    public void replace(String part, Answer answer) {
        replaced.put(part, answer);
    }

    /// Answers the first such request this way, and later ones honestly.
    public void replaceOnce(String part, Answer answer) {
        replaced.put(part, exchange -> {
            replaced.remove(part);
            answer.to(exchange);
        });
    }

    public void requireKey() {
        keyRequired = true;
    }

    /// Answers pulls of whole bundles from now on, compressed if the client accepts it.
    public void answerPull() {
        answersPull = true;
    }

    /// Returns the number of bytes sent as blobs or as files of pulled bundles.
    public long contentBytes() {
        return contentBytes.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
        URI uri = exchange.getRequestURI();
        seen.add(new Seen(exchange.getRequestMethod(), uri.getPath(), uri.getQuery(), exchange.getRequestHeaders()));
        try (exchange) {
            var answer = replaced.entrySet().stream()
                    .filter(entry -> uri.getPath().contains(entry.getKey()))
                    .findFirst();
            if (answer.isPresent()) {
                answer.get().getValue().to(exchange);
            } else if (keyRequired
                    && !("Bearer " + KEY).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                problem(exchange, 401, "unauthorized", "the credential is missing or not known");
            } else {
                honest(exchange, uri.getPath());
            }
        }
    }

    private void honest(HttpExchange exchange, String path) throws IOException {
        Matcher resolve = RESOLVE.matcher(path);
        Matcher push = PUSH.matcher(path);
        Matcher bundle = BUNDLE.matcher(path);
        Matcher keyPath = KEYS.matcher(path);
        Matcher v2 = V2.matcher(path);
        Matcher pull = PULL.matcher(path);
        if (resolve.matches()) {
            resolve(exchange, resolve.group(1) + "/" + resolve.group(2));
        } else if (pull.matches() && answersPull) {
            pull(exchange, pull.group(1) + "/" + pull.group(2) + ":" + pull.group(3));
        } else if (push.matches()) {
            push(exchange, push.group(1) + "/" + push.group(2));
        } else if (bundle.matches()) {
            bundle(exchange, bundle.group(1) + "/" + bundle.group(2));
        } else if (path.equals("/v1/publisher/me")) {
            var organization = new Identity.Owner(ORGANIZATION, "Acme");
            var identity = new Identity("api_key", ORGANIZATION, "laptop", null, organization, List.of());
            send(exchange, 200, WireJson.write(identity));
        } else if (keyPath.matches()) {
            keys(exchange, keyPath.group(2));
        } else if (v2.matches()) {
            v2(exchange, v2.group(2), v2.group(3));
        } else {
            problem(exchange, 404, "not-found", path + " does not exist");
        }
    }

    private void bundle(HttpExchange exchange, String repository) throws IOException {
        if (!content.versions.containsKey(repository)) {
            problem(exchange, 404, "bundle-not-found", "the bundle does not exist");
            return;
        }
        if (exchange.getRequestMethod().equals("PATCH")) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            content.descriptions.put(repository, new String(body, StandardCharsets.UTF_8));
        }
        String said = content.descriptions.getOrDefault(repository, "{}");
        send(exchange, 200, said.getBytes(StandardCharsets.UTF_8));
    }

    private void resolve(HttpExchange exchange, String repository) throws IOException {
        var query = query(exchange);
        String selector = query.getOrDefault("version", query.getOrDefault("digest", ""));
        var found = query.containsKey("minAge")
                ? content.oldEnough(repository, Duration.parse(String.valueOf(query.get("minAge"))))
                : content.find(repository, selector);
        if (found.isPresent()) {
            byte[] body = WireJson.write(found.get());
            String etag = '"' + Digest.sha256(body).hex() + '"';
            exchange.getResponseHeaders().set("ETag", etag);
            if (etag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
                exchange.sendResponseHeaders(304, -1);
            } else {
                send(exchange, 200, body);
            }
        } else {
            problem(
                    exchange,
                    404,
                    "version-not-found",
                    "no version of " + repository + " matches \"" + selector + "\"");
        }
    }

    private static Map<String, String> query(HttpExchange exchange) {
        var all = new TreeMap<String, String>();
        String query = exchange.getRequestURI().getQuery();
        if (query != null) {
            for (String pair : query.split("&")) {
                int equals = pair.indexOf('=');
                all.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return all;
    }

    private void pull(HttpExchange exchange, String reference) throws IOException {
        var resolution = content.versions.get(reference);
        if (resolution == null) {
            problem(exchange, 404, "version-not-found", "no " + reference);
            return;
        }
        byte[] body = WireJson.write(content.whole(resolution));
        contentBytes.addAndGet(resolution.sizeBytes());
        if ("gzip".equals(exchange.getRequestHeaders().getFirst("Accept-Encoding"))) {
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            body = packed(body);
        }
        send(exchange, 200, body);
    }

    public static byte[] packed(byte[] bytes) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        }
        return packed.toByteArray();
    }

    private void push(HttpExchange exchange, String repository) throws IOException {
        var request = WireJson.read(exchange.getRequestBody().readAllBytes(), PushRequest.class);
        messages.add(Objects.requireNonNullElse(request.message(), ""));
        var files = new TreeMap<String, byte[]>();
        for (var asset : request.manifest()) {
            files.put(
                    asset.logicalPath(),
                    asset.contentText() != null
                            ? asset.contentText().getBytes(StandardCharsets.UTF_8)
                            : Base64.getDecoder().decode(asset.contentBase64()));
        }
        String reference = repository + ":" + request.version();
        var before = content.versions.get(reference);
        String digest = new TinyContent().publish(reference, files).ociDigest();
        if (before != null && !before.ociDigest().equals(digest)) {
            problem(
                    exchange,
                    409,
                    "version-exists",
                    "version " + request.version() + " already exists with different content");
            return;
        }
        var published = content.publish(reference, files);
        send(exchange, before == null ? 201 : 200, WireJson.write(TinyContent.detail(published)));
    }

    private void keys(HttpExchange exchange, @Nullable String id) throws IOException {
        switch (exchange.getRequestMethod()) {
            case "POST" -> {
                var request = WireJson.read(exchange.getRequestBody().readAllBytes(), ApiKeyRequest.class);
                var scopes = request.scopes() == null ? List.of("read") : request.scopes();
                var key = new ApiKey(
                        UUID.randomUUID(),
                        ORGANIZATION,
                        request.name(),
                        null,
                        scopes,
                        null,
                        "shf_…0000",
                        "active",
                        Instant.EPOCH,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null);
                keys.put(key.id(), key);
                send(exchange, 201, WireJson.write(key.withKey(KEY)));
            }
            case "DELETE" -> {
                keys.remove(UUID.fromString(String.valueOf(id)));
                exchange.sendResponseHeaders(204, -1);
            }
            default -> send(exchange, 200, WireJson.write(Page.of(new ArrayList<>(keys.values()), null)));
        }
    }

    private void v2(HttpExchange exchange, String kind, String reference) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        switch (exchange.getRequestMethod()) {
            case "POST" -> {
                exchange.getResponseHeaders()
                        .set("Location", exchange.getRequestURI().getPath() + UUID.randomUUID());
                exchange.sendResponseHeaders(202, -1);
            }
            case "PUT" -> {
                String digest = Digest.sha256(body).toString();
                (kind.equals("blobs") ? content.blobs : content.manifests).put(digest, body);
                exchange.getResponseHeaders().set("Docker-Content-Digest", digest);
                exchange.sendResponseHeaders(201, -1);
            }
            default -> {
                byte[] stored = (kind.equals("blobs") ? content.blobs : content.manifests).get(reference);
                if (stored == null) {
                    exchange.sendResponseHeaders(404, -1);
                } else if (exchange.getRequestMethod().equals("HEAD")) {
                    exchange.sendResponseHeaders(200, -1);
                } else {
                    contentBytes.addAndGet(kind.equals("blobs") ? stored.length - from(exchange) : 0);
                    bytes(exchange, stored);
                }
            }
        }
    }

    /// Sends these bytes, or the requested range of them.
    public static void bytes(HttpExchange exchange, byte[] bytes) throws IOException {
        String range = exchange.getRequestHeaders().getFirst("Range");
        if (range == null) {
            send(exchange, 200, bytes);
            return;
        }
        int from = from(exchange);
        exchange.getResponseHeaders()
                .set("Content-Range", "bytes " + from + "-" + (bytes.length - 1) + "/" + bytes.length);
        send(exchange, 206, Arrays.copyOfRange(bytes, from, bytes.length));
    }

    private static int from(HttpExchange exchange) {
        String range = exchange.getRequestHeaders().getFirst("Range");
        return range == null ? 0 : Integer.parseInt(range.substring("bytes=".length(), range.length() - 1));
    }

    public static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    /// Announces all bytes, sends the first `count` and drops the connection.
    public static void cutOff(HttpExchange exchange, byte[] bytes, int count) throws IOException {
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes, 0, count);
        exchange.getResponseBody().flush();
        exchange.close();
    }

    public static void problem(HttpExchange exchange, int status, String code, String detail) throws IOException {
        problem(exchange, status, Map.of("type", "about:blank", "status", status, "detail", detail, "code", code));
    }

    /// @param members of the problem
    public static void problem(HttpExchange exchange, int status, Map<String, Object> members) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
        exchange.getResponseHeaders().set("X-Request-Id", "request-1");
        send(exchange, status, WireJson.write(members));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
