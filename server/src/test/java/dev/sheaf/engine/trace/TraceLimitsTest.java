package dev.sheaf.engine.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.Requests;
import dev.sheaf.server.testing.TestApp;
import dev.sheaf.server.testing.program.ServerProcess;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What strangers, dead collectors and nodes without a collector meet.
class TraceLimitsTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String ACCESS = "dev.sheaf.server.http.routing.AccessLog";
    private static final String FOREIGN = "4bf92f3577b34da6a3ce929d0e0e4736";

    @TempDir
    private Path folder;

    @Test
    void aStrangerBeginsANewTrace() {
        try (var collector = new TraceReceiver();
                var app = TestApp.start(folder, Map.of("trace-endpoint", collector.url()))) {
            var reply = app.send(app.request("GET", "/health/live", null, null)
                    .header("traceparent", "00-" + FOREIGN + "-00f067aa0ba902b7-00"));

            var request = collector.request(reply.header("X-Trace-Id"));
            assertThat(TraceReceiver.parent(request)).isEmpty();
            assertThat(TraceReceiver.trace(request)).isNotEqualTo(FOREIGN);
        }
    }

    @Test
    void theRatioDecidesByTheTraceIdAlone() {
        assertThat(TraceIds.isWithin("f".repeat(32), 1)).isTrue();
        assertThat(TraceIds.isWithin("0".repeat(32), 0)).isFalse();
        assertThat(TraceIds.isWithin("f".repeat(16) + "0".repeat(15) + "1", 0.01))
                .isTrue();
        assertThat(TraceIds.isWithin("0".repeat(16) + "f".repeat(16), 0.99)).isFalse();
        assertThat(TraceIds.isWithin("0".repeat(16) + "7" + "f".repeat(15), 0.51))
                .isTrue();
        assertThat(TraceIds.isWithin("0".repeat(16) + "8" + "0".repeat(15), 0.5))
                .isFalse();
    }

    /// It accepts connections and never answers.
    @Test
    void aSilentCollectorDelaysNeitherRequestsNorTheStop() throws Exception {
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var app = TestApp.start(
                    folder, Map.of("trace-endpoint", "http://127.0.0.1:" + silent.getLocalPort() + "/other/path"));
            for (int i = 0; i <= SpanQueue.MOST; i++) {
                assertThat(app.get("/health/live", null).status()).isEqualTo(200);
            }
            Eventually.within(SOON, () -> count(app, "dropped") > 0);

            long begin = System.nanoTime();
            app.close();
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
        }
    }

    private static double count(TestApp app, String result) {
        return app.get("/metrics", null)
                .text()
                .lines()
                .filter(line -> line.startsWith("sheaf_trace_spans_total{result=\"" + result + "\"}"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    @Test
    void aRefusalOfTheCollectorIsLoggedWithoutTheCredential() {
        var lines = new CopyOnWriteArrayList<String>();
        var logger = Logger.getLogger("io.opentelemetry"); // the program sends it to its own log
        var handler = new StreamHandler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }
        };
        logger.addHandler(handler);
        try (var collector = new TraceReceiver(401);
                var app = TestApp.start(
                        folder,
                        Map.of("trace-endpoint", collector.url(), "trace-headers", "Authorization=Bearer my-secret"))) {
            app.get("/health/live", null);
            Eventually.within(SOON, () -> count(app, "failed") > 0);
            assertThat(collector.headers().toString()).contains("my-secret");
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(lines).anyMatch(line -> line.contains("401")).noneMatch(line -> line.contains("my-secret"));
    }

    /// A node without a collector loads no class of OpenTelemetry, even when it is scraped. One with a collector does,
    /// but neither its metrics nor its logs, whose libraries are left out.
    @Test
    void onlyANodeWithACollectorLoadsTheLibrary() throws Exception {
        try (var collector = new TraceReceiver()) {
            var off = classes(run("off", List.of()));
            var log = run("on", List.of("--trace-endpoint=" + collector.url(), "--access-log=1", "--log-format=json"));
            var on = classes(log);

            assertThat(off).contains("dev.sheaf.server.App").noneMatch(name -> name.startsWith("io.opentelemetry."));
            assertThat(off).noneMatch(name -> name.startsWith("java.net.http."));
            assertThat(on).anyMatch(name -> name.startsWith("io.opentelemetry.sdk.trace."));
            assertThat(on)
                    .noneMatch(name -> name.startsWith("io.opentelemetry.sdk.metrics.")
                            || name.startsWith("io.opentelemetry.sdk.logs."));
            assertThat(log)
                    .filteredOn(line -> line.contains("\"loggerName\":\"" + ACCESS + "\""))
                    .hasSize(3)
                    .allMatch(line -> line.matches(".*\"mdc\": ?\\{[^}]*\"trace_id\": ?\"[0-9a-f]{32}\".*"))
                    .allMatch(line -> line.matches(".*\"kvpList\".*\\{\"trace_id\": ?\"[0-9a-f]{32}\"}.*"));
        }
    }

    private List<String> run(String name, List<String> flags) throws Exception {
        try (var server = ServerProcess.start(folder.resolve(name), List.of("-Xlog:class+load:stdout"), flags);
                var requests = new Requests(server.url())) {
            for (String path : List.of("/health/live", "/metrics", "/v1/hub/bundles")) {
                assertThat(requests.send(requests.request(
                                        "GET", path, server.adminKey().expose(), null))
                                .status())
                        .isEqualTo(200);
            }
            if (!flags.isEmpty()) {
                server.awaitLog("\"" + ACCESS + "\"", 3);
            }
            return server.stop();
        }
    }

    private static List<String> classes(List<String> log) {
        return log.stream()
                .filter(line -> line.contains("[class,load]"))
                .map(line -> line.replaceFirst("^.*\\] ", "").split(" ")[0])
                .toList();
    }
}
