package dev.sheaf.server.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Reply;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.testing.program.Nginx;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Clients that read and write through nginx while the nodes behind it are replaced. No read may fail, and no push
/// after
/// [#strictly].
final class RollingLoad {
    static final String BUNDLE = "/v1/namespaces/acme/bundles/kit";
    private static final Logger LOG = LoggerFactory.getLogger(RollingLoad.class);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int BETWEEN = 30; // requests before the next node is replaced

    private final int requests;
    private final AtomicInteger sent = new AtomicInteger();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private volatile boolean replaced;
    private volatile boolean again = true;

    /// @param requests how many are sent at least
    RollingLoad(int requests) {
        this.requests = requests;
    }

    /// Replaces something, in several steps.
    interface Steps {
        void run() throws InterruptedException;
    }

    /// Starts nginx in front of nodes. By default it leaves a node that was gone alone for ten seconds; here all nodes
    /// are replaced within that time.
    ///
    /// @param nodes the addresses of the nodes
    static Nginx proxy(Path folder, List<String> nodes) throws IOException {
        String servers = nodes.stream()
                .map(node -> "server " + node + " fail_timeout=1s;")
                .collect(Collectors.joining(" "));
        return Nginx.start(folder, "upstream sheaf { " + servers + " keepalive 16; }", """
                proxy_pass http://sheaf;
                proxy_http_version 1.1;
                proxy_set_header Connection "";
                proxy_set_header Host $http_host;
                proxy_set_header X-Forwarded-For $remote_addr;
                proxy_next_upstream error timeout http_503;
                client_max_body_size 0;
                """);
    }

    /// Runs the steps under load, and the load until all requests are sent.
    void during(Nginx nginx, Secret admin, int clients, Steps steps) throws InterruptedException {
        var threads = IntStream.range(0, clients)
                .mapToObj(client -> Thread.ofPlatform().start(() -> work(nginx.url(), admin.expose(), client)))
                .toList();
        try {
            steps.run();
        } finally {
            replaced = true;
        }
        for (var thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
        assertThat(sent).hasValueGreaterThanOrEqualTo(requests);
    }

    /// From now on, no push may fail either. A node of release 0.2.0 refuses what comes while it closes its port, and
    /// nginx does not repeat a POST.
    void strictly() {
        again = false;
    }

    /// Waits until the nodes have served some requests since the last step.
    void await() {
        int before = sent.get();
        Eventually.within(LIMIT, () -> sent.get() > before + BETWEEN);
    }

    private void work(String url, String admin, int client) {
        try (var through = new Requests(url)) {
            for (int i = 0; sent.get() < requests || !replaced; i++) {
                String version = "1." + (client + 1) + "." + i;
                check(200, through.get(BUNDLE + ":resolve", null));
                check(200, through.get("/v1/hub/bundles", null));
                if (check(201, pushed(through, admin, version))) {
                    check(200, through.get(BUNDLE + "/versions/" + version + ":pull", null));
                }
            }
        } catch (RuntimeException | AssertionError e) {
            failures.add(e.toString());
        }
    }

    /// Pushes as clients do: one that no node has carried out is sent again, if that may be.
    private Reply pushed(Requests through, String admin, String version) {
        var reply = push(through, admin, version);
        while (again && (reply.status() == 502 || reply.status() == 503)) {
            LOG.info("sent again: {} {}", reply.status(), reply.text());
            reply = push(through, admin, version);
        }
        return reply;
    }

    private boolean check(int expected, Reply reply) {
        sent.incrementAndGet();
        if (reply.status() == expected) {
            return true;
        }
        failures.add(reply.status() + " " + reply.text());
        return false;
    }

    static Reply push(Requests to, String admin, String version) {
        return to.post(BUNDLE + ":push", admin, """
                {"name": "Kit", "visibility": "public", "version": "%s",
                 "manifest": [{"logicalPath": "a.txt", "contentText": "%s"}]}""".formatted(version, version));
    }
}
