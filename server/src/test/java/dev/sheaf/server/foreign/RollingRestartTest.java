package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.Nginx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Three nodes behind nginx are restarted in turn while clients read and write. No request fails.
/// `-Dsheaf.rolling=20000` sets the number of requests.
@Timeout(300)
class RollingRestartTest {
    private static final int REQUESTS = Integer.getInteger("sheaf.rolling", 1_000);
    private static final int CLIENTS = 6;
    private static final Duration DRAIN = Duration.ofMillis(1_500);
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String BUNDLE = "/v1/namespaces/acme/bundles/kit";

    @TempDir
    private Path folder;

    private final AtomicInteger sent = new AtomicInteger();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean restarted;

    @Test
    void noRequestFails() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        var nodes = new ArrayList<TestApp>();
        nodes.add(TestApp.start(
                Stack.POSTGRES_AND_BUCKET,
                folder.resolve("0"),
                InstantSource.system(),
                Map.of("port", Integer.toString(Ports.free()), "trusted-proxies", "127.0.0.1")));
        try {
            for (String name : List.of("1", "2")) {
                var own = Map.of("data-dir", folder.resolve(name).toString(), "port", Integer.toString(Ports.free()));
                nodes.add(nodes.getFirst().startOn(nodes.getFirst().with(own)));
            }
            push(nodes.getFirst(), "1.0.0");
            try (var nginx = proxy(nodes)) {
                var clients = IntStream.range(0, CLIENTS)
                        .mapToObj(
                                client -> Thread.ofPlatform().start(() -> work(nginx.url(), nodes.getFirst(), client)))
                        .toList();
                restart(nodes);
                for (var client : clients) {
                    client.join();
                }
            }
        } finally {
            nodes.forEach(TestApp::close);
        }
        assertThat(failures).isEmpty();
        assertThat(sent).hasValueGreaterThanOrEqualTo(REQUESTS);
    }

    /// By default nginx leaves a node that was gone alone for ten seconds; here all three restart within that time.
    private Nginx proxy(List<TestApp> nodes) throws IOException {
        String servers = nodes.stream()
                .map(node -> "server " + node.host() + " fail_timeout=1s;")
                .collect(Collectors.joining(" "));
        return Nginx.start(folder.resolve("nginx"), "upstream sheaf { " + servers + " keepalive 16; }", """
                proxy_pass http://sheaf;
                proxy_http_version 1.1;
                proxy_set_header Connection "";
                proxy_set_header Host $http_host;
                proxy_set_header X-Forwarded-For $remote_addr;
                proxy_next_upstream error timeout http_503;
                client_max_body_size 0;
                """);
    }

    /// Ends each node as a signal does and starts it again, while clients send requests.
    private void restart(List<TestApp> nodes) {
        try {
            for (int i = 0; i < nodes.size(); i++) {
                int before = sent.get();
                Eventually.within(LIMIT, () -> sent.get() > before + 30);
                assertThat(nodes.get(i).stop(DRAIN, LIMIT))
                        .as("requests cut off")
                        .isZero();
                nodes.set(i, nodes.get(i).again(InstantSource.system()));
            }
        } finally {
            restarted = true;
        }
    }

    private void work(String url, TestApp first, int client) {
        try (var through = new Requests(url)) {
            for (int i = 0; sent.get() < REQUESTS || !restarted; i++) {
                String version = "1." + (client + 1) + "." + i;
                check(200, through.get(BUNDLE + ":resolve", null));
                check(200, through.get("/v1/hub/bundles", null));
                check(201, through.post(BUNDLE + ":push", first.admin(), body(version)));
                check(200, through.get(BUNDLE + "/versions/" + version + ":pull", null));
            }
        } catch (RuntimeException | AssertionError e) {
            failures.add(e.toString());
        }
    }

    private void check(int expected, Reply reply) {
        sent.incrementAndGet();
        if (reply.status() != expected) {
            failures.add(reply.status() + " " + reply.text());
        }
    }

    private static void push(TestApp node, String version) {
        assertThat(node.post(BUNDLE + ":push", node.admin(), body(version)).status())
                .isEqualTo(201);
    }

    private static String body(String version) {
        return """
                {"name": "Kit", "visibility": "public", "version": "%s",
                 "manifest": [{"logicalPath": "a.txt", "contentText": "%s"}]}""".formatted(version, version);
    }
}
