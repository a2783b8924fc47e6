package dev.sheaf.server.bundle.requirement;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.testing.TestApp;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
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
    private static final int RUNS = 1_000;

    private static void push(TestApp app, int bundle, int version) {
        String requires = IntStream.rangeClosed(bundle * FAN + 1, bundle * FAN + FAN)
                .filter(other -> other <= BUNDLES)
                .mapToObj(other -> "{\"bundle\": \"wide/b" + other + "\", \"range\": \"^1\"}")
                .collect(Collectors.joining(", "));
        var reply = app.post("/v1/namespaces/wide/bundles/b" + bundle + ":push", app.admin(), """
                {"name": "B", "version": "1.%d.0", "visibility": "public", "requires": [%s],
                 "manifest": [{"logicalPath": "a.md", "assetType": "prompt", "contentText": "%d"}]}""".formatted(
                        version, requires, version));
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    }

    /// Returns the processor time of this process that a request takes, which other programs do not change.
    private static Duration taken(Requests requests, String key, String path) {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        for (int run = 0; run < RUNS; run++) { // warm
            requests.get(path, key);
        }
        long since = system.getProcessCpuTime();
        for (int run = 0; run < RUNS; run++) {
            requests.get(path, key);
        }
        return Duration.ofNanos((system.getProcessCpuTime() - since) / RUNS);
    }

    @Test
    void aClosureOf200BundlesTakesMilliseconds(@TempDir Path folder) {
        try (var app = TestApp.start(folder, Map.of("rate-reads", "0", "rate-writes", "0"))) {
            for (int bundle = BUNDLES; bundle >= 0; bundle--) { // what is required exists first
                for (int version = 0; version < VERSIONS; version++) {
                    push(app, bundle, version);
                }
            }
            try (var plain = new Requests(app.url())) { // compares no answer with docs/openapi.yaml
                String path = "/v1/namespaces/wide/bundles/b0:resolve";
                var without = taken(plain, app.admin(), path);
                var with = taken(plain, app.admin(), path + "?closure=true");
                System.out.println("closure of " + BUNDLES + " bundles: " + with.toNanos() / 1_000
                        + " us of a processor with HTTP; without the closure " + without.toNanos() / 1_000 + " us");
                assertThat(plain.get(path + "?closure=true", app.admin())
                                .as(Resolution.class)
                                .closure())
                        .hasSize(BUNDLES);
                assertThat(with).isLessThan(Duration.ofMillis(100));
            }
        }
    }
}
