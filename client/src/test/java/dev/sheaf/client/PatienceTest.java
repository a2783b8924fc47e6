package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Reference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Waits are reported in time.
class PatienceTest {
    @TempDir
    private Path folder;

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final CountDownLatch waited = new CountDownLatch(1);

    private final Progress progress = new Progress() {
        @Override
        public Transfer begin(Activity activity, String name, long totalBytes) {
            return NONE.begin(activity, name, totalBytes);
        }

        @Override
        public void notice(String message) {
            told.add(message);
        }

        @Override
        public void waiting(String registry, Duration elapsed) {
            told.add(registry + " " + elapsed.toSeconds());
            waited.countDown();
        }
    };

    private SheafClient client(TinyRegistry registry) {
        return SheafClient.of(registry.url())
                .cache(folder)
                .progress(progress)
                .pause(wait -> {})
                .open();
    }

    /// Takes three seconds, the promised time.
    @Test
    void whoWaitsForAnAnswerIsToldAfterThreeSeconds() {
        try (var registry = TinyRegistry.start();
                var client = client(registry)) {
            registry.content.publish("acme/kit:1.0.0", Map.of("a", "x".getBytes(StandardCharsets.UTF_8)));
            registry.replaceOnce(":resolve", exchange -> {
                try {
                    waited.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                TinyRegistry.problem(exchange, 503, "service-unavailable", "later");
            });

            client.resolve(Reference.parse("acme/kit"));

            assertThat(told).containsExactly(registry.url() + " 3");
        }
    }

    @Test
    void aLongPauseThatTheRegistryAsksForIsTold() {
        try (var registry = TinyRegistry.start();
                var client = client(registry)) {
            registry.content.publish("acme/kit:1.0.0", Map.of("a", "x".getBytes(StandardCharsets.UTF_8)));
            registry.replaceOnce(":resolve", exchange -> {
                exchange.getResponseHeaders().set("Retry-After", "20");
                TinyRegistry.problem(
                        exchange,
                        429,
                        Map.of("status", 429, "code", "rate-limited", "detail", "too many", "throttle", "rate"));
            });

            client.resolve(Reference.parse("acme/kit"));

            assertThat(told).containsExactly("the registry asks to wait (too many requests); retrying in 20 s");
        }
    }
}
