package dev.sheaf.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Stack;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node opens its store beside its database; who closes it early must not leave that at work.
class NodeBaseTest {
    @TempDir
    private Path folder;

    /// The lock of the directory is gone then, so another process may use the same spool.
    @Test
    void nothingUsesTheDirectoryOnceANodeIsClosed() throws Exception {
        var asked = new CountDownLatch(1);
        var held = new CountDownLatch(1);
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(task -> Thread.ofVirtual().start(task));
        try {
            server.createContext("/", exchange -> {
                if (exchange.getRequestMethod().equals("HEAD")) {
                    exchange.sendResponseHeaders(200, -1);
                    return;
                }
                asked.countDown();
                try {
                    held.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                exchange.sendResponseHeaders(503, -1);
            });
            server.start();
            var flags = Stack.own(folder);
            flags.putAll(Map.of(
                    "s3-bucket", "silent",
                    "s3-endpoint", "http://127.0.0.1:" + server.getAddress().getPort(),
                    "s3-access-key-id", "someone",
                    "s3-secret-access-key", "not-a-secret-that-anyone-uses",
                    "s3-path-style", "true",
                    "master-key", MasterSecret.generate()));

            var node = NodeBase.open(Config.load(flags, Map.of()), InstantSource.system());
            assertThat(asked.await(1, TimeUnit.MINUTES)).isTrue();
            assertThat(folder.resolve("spool")).isNotEmptyDirectory();
            var closing = Thread.ofPlatform().start(node::close);
            Eventually.within(Duration.ofMinutes(1), () -> closing.getState() == Thread.State.WAITING);
            held.countDown();
            closing.join();

            assertThat(folder.resolve("spool")).isEmptyDirectory();
        } finally {
            held.countDown();
            server.stop(0);
        }
    }
}
