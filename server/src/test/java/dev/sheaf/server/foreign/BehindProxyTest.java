package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.sheaf.model.Digest;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Haproxy;
import dev.sheaf.server.testing.program.Nginx;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Behind proxies as docs/proxy.md has them; nginx with `proxy_pass` and nothing else speaks HTTP/1.0 to us.
@Timeout(300)
@Tag("programs")
class BehindProxyTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final long LARGE = 200L << 20;

    @TempDir
    private Path folder;

    @Test
    void nginxAsItComes() throws Exception {
        try (var app = start();
                var nginx = Nginx.start(folder.resolve("nginx"), """
                        proxy_pass %s;
                        client_max_body_size 0;
                        """.formatted(app.url()))) {
            everythingWorks(app, nginx.url());
            pushesABlob(app, nginx.url(), LARGE);
        }
    }

    @Test
    void nginxWithoutBuffers() throws Exception {
        try (var app = start();
                var nginx = Nginx.start(folder.resolve("nginx"), """
                        proxy_pass %s;
                        client_max_body_size 0;
                        proxy_http_version 1.1;
                        proxy_request_buffering off;
                        proxy_buffering off;
                        proxy_set_header Host $http_host;
                        proxy_set_header X-Forwarded-For $remote_addr;
                        proxy_set_header X-Forwarded-Proto $scheme;
                        """.formatted(app.url()))) {
            everythingWorks(app, nginx.url());
            pushesABlob(app, nginx.url(), 20L << 20);
        }
    }

    @Test
    void haproxy() throws Exception {
        try (var app = start();
                var haproxy = Haproxy.start(folder.resolve("haproxy"), List.of(app.host()))) {
            everythingWorks(app, haproxy.url());
            pushesABlob(app, haproxy.url(), 20L << 20);
        }
    }

    /// A node says so before it stops, and all nodes do while the database is down.
    @Test
    void haproxyLeavesANodeThatIsNotReadyItsRequests() throws Exception {
        try (var node = new Node();
                var haproxy = Haproxy.start(folder.resolve("haproxy"), List.of(node.host()));
                var client = HttpClient.newHttpClient()) {
            var post = HttpRequest.newBuilder(URI.create(haproxy.url()))
                    .POST(BodyPublishers.ofString("x"))
                    .build();
            var answer = client.sendAsync(post, BodyHandlers.discarding());
            node.begun.await();

            node.status.set(503);
            node.asked.set(0);
            Eventually.within(SOON, () -> node.asked.get() > 3);
            node.ends.countDown();

            assertThat(answer.get().statusCode()).isEqualTo(200);
            assertThat(client.send(post, BodyHandlers.discarding()).statusCode())
                    .isEqualTo(200);
        }
    }

    /// Answers requests, but none before it may.
    private static final class Node implements AutoCloseable {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch ends = new CountDownLatch(1);
        private final AtomicInteger status = new AtomicInteger(200);
        private final AtomicInteger asked = new AtomicInteger();
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final HttpServer server;

        private Node() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(threads);
            server.createContext("/health/ready", call -> {
                asked.incrementAndGet();
                answer(call, status.get());
            });
            server.createContext("/", call -> {
                begun.countDown();
                try {
                    ends.await();
                } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                }
                answer(call, 200);
            });
            server.start();
        }

        private String host() {
            return "127.0.0.1:" + server.getAddress().getPort();
        }

        @Override
        public void close() {
            ends.countDown();
            server.stop(0);
            threads.close();
        }
    }

    private static void answer(HttpExchange call, int status) throws IOException {
        call.sendResponseHeaders(status, -1);
        call.close();
    }

    /// As root, nginx keeps bodies as a user for whom the folder is closed.
    private TestApp start() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        return TestApp.start(folder.resolve("data"), Map.of("trusted-proxies", "127.0.0.0/8"));
    }

    private static void everythingWorks(TestApp app, String url) {
        try (var through = new Requests(url)) {
            var pushed = through.post(
                    "/v1/namespaces/acme/bundles/kit:push", app.admin(), """
                    {"name": "Kit", "visibility": "public", "version": "1.0.0",
                     "manifest": [{"logicalPath": "SKILL.md", "assetType": "skill", "contentText": "%s"}]}""".formatted("text ".repeat(100_000)));
            assertThat(pushed.status()).as(pushed.text()).isEqualTo(201);
            assertThat(through.get("/v1/namespaces/acme/bundles/kit:resolve?version=%5E1", null)
                            .status())
                    .isEqualTo(200);
            assertThat(through.get("/v1/namespaces/acme/bundles/kit/versions/1.0.0:pull", null)
                            .text())
                    .contains("text text");
            assertThat(through.get("/v1/hub/bundles", null).text()).contains("\"kit\"");
            assertThat(through.send(through.request("GET", "/v1/organizations/default/audit-log", app.admin(), null)
                                    .header("Accept", "application/jsonl"))
                            .text())
                    .as("of unknown length")
                    .endsWith("}\n");
            assertThat(through.get("/device", null).text()).contains("<form");
            assertThat(through.get("/v2/", null).status()).isEqualTo(401);
            assertThat(through.get("/health/ready", null).status()).isEqualTo(200);
        }
    }

    /// As OCI clients do: begun, sent chunked, and ended.
    private static void pushesABlob(TestApp app, String url, long size) throws Exception {
        var sum = MessageDigest.getInstance("SHA-256");
        try (InputStream all = new DigestInputStream(new Zeros(size), sum)) {
            all.transferTo(OutputStream.nullOutputStream());
        }
        var digest = Digest.parse("sha256:" + HexFormat.of().formatHex(sum.digest()));
        try (var through = new Requests(url)) {
            var begun = through.send("POST", "/v2/acme/large/blobs/uploads/", app.admin(), null);
            assertThat(begun.status()).isEqualTo(202);
            String place = path(begun.header("Location"));
            var sent = through.send(through.request("PATCH", place, app.admin(), null)
                    .header("Content-Type", "application/octet-stream")
                    .method("PATCH", BodyPublishers.ofInputStream(() -> new Zeros(size))));
            assertThat(sent.status()).as(sent.text()).isEqualTo(202);
            String next = path(sent.header("Location"));
            String end = next + (next.contains("?") ? "&" : "?") + "digest=" + digest;
            assertThat(through.send("PUT", end, app.admin(), null).status()).isEqualTo(201);
            var head = through.send("HEAD", "/v2/acme/large/blobs/" + digest, app.admin(), null);
            assertThat(head.header("Content-Length")).isEqualTo(Long.toString(size));
        }
    }

    private static String path(String location) {
        return location.startsWith("/") ? location : location.substring(location.indexOf('/', "https://".length()));
    }

    private static final class Zeros extends InputStream {
        private long left;

        Zeros(long size) {
            this.left = size;
        }

        @Override
        public int read() {
            return left-- > 0 ? 0 : -1;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            if (left <= 0) {
                return -1;
            }
            int count = (int) Math.min(left, length);
            java.util.Arrays.fill(bytes, offset, offset + count, (byte) 0);
            left -= count;
            return count;
        }
    }
}
