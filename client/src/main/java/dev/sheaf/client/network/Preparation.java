package dev.sheaf.client.network;

import dev.sheaf.client.io.Json;
import dev.sheaf.model.Digest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Makes Java load what a request needs, on another thread. Without it the first request does, which takes a quarter of
/// the time of a short command. For programs that are not used as a library: they share Java's settings for proxies.
/// Thread-safe.
public final class Preparation {
    private static final byte[] DOCUMENT = "{\"a\": [1, \"b\"]}".getBytes(StandardCharsets.UTF_8);
    private static final AtomicReference<@Nullable Thread> THREAD = new AtomicReference<>();

    private Preparation() {}

    /// Begins, if it is the first time in this process. A failure, such as too many open files, is left to the request.
    public static void begin() {
        var thread = Thread.ofPlatform().daemon().name("sheaf-prepare").unstarted(Preparation::run);
        if (THREAD.compareAndSet(null, thread)) {
            try {
                thread.start();
            } catch (OutOfMemoryError _) {
                // or no more threads
            }
        }
    }

    private static void run() {
        NetworkSettings.allowTunnelLogin(); // Java reads it now
        var network = NetworkSettings.of(Map.of(), null);
        try (var http = network.clientBuilder(URI.create("http://localhost/")).build()) {
            http.shutdownNow();
            Json.document(DOCUMENT, "");
            Digest.sha256(DOCUMENT);
        } catch (RuntimeException | Error _) {
            // see begin
        }
    }

    /// Waits for the end, if it was begun: two threads that initialize the same classes might wait for each other.
    public static void await() {
        var thread = THREAD.get();
        if (thread != null) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
