package dev.sheaf.server.bundle.requirement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.server.testing.TestApp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How long a closure of 200 bundles takes on SQLite, so that no cache is needed (docs/adr/0087).
@Tag("measure")
class ClosureSpeedTest {
    private static final int BUNDLES = 200;
    private static final int VERSIONS = 3;
    private static final int FAN = 6; // bundles that each requires
    private static final int RUNS = 300;

    private static void push(TestApp app, int bundle, int version) {
        String requires = IntStream.rangeClosed(bundle * FAN + 1, bundle * FAN + FAN)
                .filter(other -> other <= BUNDLES)
                .mapToObj(other -> "{\"bundle\": \"wide/b" + other + "\", \"range\": \"^1\"}")
                .collect(Collectors.joining(", "));
        var reply = app.post("/v1/namespaces/wide/bundles/b" + bundle + ":push", app.admin(), """
                {"name": "B", "version": "1.%d.0", "visibility": "public", "requires": [%s],
                 "manifest": [{"logicalPath": "a.md", "assetType": "prompt", "contentText": "%d"}]}""".formatted(version, requires, version));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    @Test
    void aClosureOf200BundlesTakesMilliseconds(@TempDir Path folder) {
        try (var app = TestApp.start(folder, Map.of("rate-limit-reads", "1000000"))) {
            for (int bundle = BUNDLES; bundle >= 0; bundle--) { // what is required exists first
                for (int version = 0; version < VERSIONS; version++) {
                    push(app, bundle, version);
                }
            }
            String path = "/v1/namespaces/wide/bundles/b0:resolve?closure=true";
            var times = IntStream.range(0, RUNS)
                    .mapToLong(run -> {
                        long since = System.nanoTime();
                        var reply = app.get(path, app.admin());
                        long took = System.nanoTime() - since;
                        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
                        assertThat(Objects.requireNonNull(reply.as(Resolution.class).closure()))
                                .hasSize(BUNDLES);
                        return took;
                    })
                    .skip(RUNS / 3)
                    .sorted()
                    .toArray();
            var median = Duration.ofNanos(times[times.length / 2]);
            System.out.println("closure of " + BUNDLES + " bundles: median " + median.toNanos() / 1_000 + " us, 95 % "
                    + times[times.length * 95 / 100] / 1_000 + " us, with HTTP");
            assertThat(median).isLessThan(Duration.ofMillis(100));
        }
    }
}
