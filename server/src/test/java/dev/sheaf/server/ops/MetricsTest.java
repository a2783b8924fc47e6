package dev.sheaf.server.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.sheaf.engine.metrics.Metrics;
import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What `/metrics` tells, and whom.
class MetricsTest extends OnEveryStack {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String RESOLVE = "/v1/namespaces/{namespace}/bundles/{bundle}:resolve";

    /// A number; 0 where it is not there yet.
    private static double number(TestApp app, String name) {
        String page = app.get("/metrics", null).text();
        var line = Pattern.compile("^" + Pattern.quote(name) + " (\\S+)$", Pattern.MULTILINE)
                .matcher(page);
        return line.find() ? Double.parseDouble(line.group(1)) : 0;
    }

    private static String requests(String method, String route, String status) {
        return "sheaf_http_request_seconds_count{method=\"%s\",route=\"%s\",status=\"%s\"}"
                .formatted(method, route, status);
    }

    /// Counted once the answer has left, so a moment later than its caller knows.
    private void countsUp(String name, int by, Runnable asking) {
        double before = number(app(), name);

        asking.run();

        Eventually.within(SOON, () -> number(app(), name) >= before + by);
        assertThat(number(app(), name)).isEqualTo(before + by);
    }

    @Test
    void requestsAreCountedByTheirRouteAndHowTheyEnd() {
        app().push("counted/kit", "1.0.0", "public", "# Kit");
        String kit = "/v1/namespaces/counted/bundles/kit:resolve";

        countsUp(
                requests("GET", RESOLVE, "2xx"),
                3,
                () -> Stream.of(kit, kit, kit + "?version=1.0.0").forEach(path -> app().get(path, null)));
        countsUp(requests("HEAD", RESOLVE, "2xx"), 1, () -> app().send("HEAD", kit, null, null));
        countsUp(
                requests("GET", RESOLVE, "4xx"),
                2,
                () -> Stream.of("/v1/namespaces/counted/bundles/a:resolve", "/v1/namespaces/counted/bundles/b:resolve")
                        .forEach(path -> app().get(path, app().admin())));
        countsUp(requests("GET", RESOLVE, "3xx"), 1, () -> {
            String tag = app().get(kit, null).header("ETag");
            app().send(app().request("GET", kit, null, null).header("If-None-Match", tag));
        });
        countsUp(requests("DELETE", RESOLVE, "4xx"), 1, () -> app().send("DELETE", kit, null, null));
    }

    @Test
    void whatStrangersMakeUpIsOneLabel() {
        countsUp(
                requests("GET", "unknown", "4xx"),
                3,
                () -> Stream.of("/v1/wp-login.php", "/v1/.env", "/v1/a/b/c").forEach(path -> app().get(path, null)));
        countsUp(
                requests("other", "unknown", "4xx"),
                2,
                () -> Stream.of("PURGE", "BREW").forEach(method -> app().send(method, "/v1/made-up", null, null)));

        assertThat(app().get("/metrics", null).text()).doesNotContain("wp-login", "PURGE");
    }

    @Test
    void eventsThatWaitForTheirNumbersShow() {
        app().push("lagging/kit", "1.0.0", "public", "# Kit");

        assertThat(app().get("/metrics", null).text())
                .containsPattern("(?m)^sheaf_events_lag_seconds \\d")
                .containsPattern("(?m)^sheaf_rate_refusals_total\\{policy=\"anonymous-reads\"} 0");
    }

    @Test
    void transactionsAndCallsToTheStoreAreCounted() {
        String writes = "sheaf_database_call_seconds_count{kind=\"write\"}";
        String reads = "sheaf_database_call_seconds_count{kind=\"read\"}";
        double written = number(app(), writes);
        double read = number(app(), reads);
        double stored = storeCalls();

        app().push("counted/stored", "1.0.0", "public", "x".repeat(100_000));

        assertThat(number(app(), writes)).isGreaterThan(written);
        assertThat(number(app(), reads)).isGreaterThan(read);
        assertThat(storeCalls()).isGreaterThan(stored);
    }

    @Test
    void whatAPushAndAPullMoveIsCounted() {
        String accepted = "sheaf_credential_checks_total{kind=\"key\",result=\"accepted\"}";
        String unknown = "sheaf_credential_checks_total{kind=\"key\",result=\"malformed\"}";
        String written = "sheaf_store_bytes_total{direction=\"written\"}";
        String engine = stack() == Stack.SQLITE ? "sqlite" : "postgres";
        String statements = "sheaf_database_statement_seconds_count{engine=\"" + engine + "\"}";
        String hits = "sheaf_cache_hits_total{cache=\"bundles\"}";
        double bytes = number(app(), written);
        double sent = number(app(), statements);

        countsUp(accepted, 1, () -> app().push("counted/bytes", "1.0.0", "public", "x".repeat(300_000)));
        countsUp(unknown, 1, () -> app().get("/v1/namespaces", "shf_nonsense"));
        double found = number(app(), hits);
        Eventually.within(
                SOON,
                () -> { // a node hears of its own push for some time, and forgets it each time
                    app().get("/v1/namespaces/counted/bundles/bytes:resolve", null);
                    return number(app(), hits) > found;
                });

        assertThat(number(app(), written)).isBetween(bytes + 300_000, bytes + 310_000);
        assertThat(number(app(), statements)).isGreaterThan(sent);
        if (stack() == Stack.SQLITE) {
            assertThat(number(app(), "sheaf_sqlite_commit_transactions_count")).isPositive();
        }
    }

    @Test
    void openUploadsAreCounted() {
        app().push("counted/uploads", "1.0.0", "public", "# Kit");
        double open = number(app(), "sheaf_uploads_open");

        app().send("POST", "/v2/counted/uploads/blobs/uploads/", app().admin(), "");

        Eventually.within(SOON, () -> number(app(), "sheaf_uploads_open") == open + 1);
    }

    /// All of them, which are others on a disk than in a bucket.
    private double storeCalls() {
        return Pattern.compile("^sheaf_store_call_seconds_count\\{.*} (\\S+)$", Pattern.MULTILINE)
                .matcher(app().get("/metrics", null).text())
                .results()
                .mapToDouble(found -> Double.parseDouble(found.group(1)))
                .sum();
    }

    @Test
    void whatIsSoAtTheMomentIsTold() {
        assertThat(number(app(), "sheaf_http_connections")).isPositive();
        assertThat(number(app(), "sheaf_http_requests_running")).isPositive(); // this very one
        assertThat(number(app(), "jvm_memory_used_bytes{area=\"heap\"}")).isPositive();
        assertThat(app().get("/metrics", null).text())
                .contains(
                        "sheaf_database_busy ",
                        "sheaf_database_waiting ",
                        "sheaf_pool_waiting{pool=\"cpu\"} ",
                        "sheaf_pool_waiting{pool=\"search\"} ",
                        "sheaf_memory_budget_used_bytes ",
                        "sheaf_build_info{version=",
                        "jvm_gc_collection_seconds_count",
                        "jvm_threads_current");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-IP", "Via"})
    void aProxyOnThisMachineOpensItToNobody(String header) {
        var passedOn = app().send(app().request("GET", "/metrics", null, null).header(header, "for=192.0.2.1"));
        var ofAdmin =
                app().send(app().request("GET", "/metrics", app().admin(), null).header(header, "for=192.0.2.1"));

        assertThat(passedOn.status()).isEqualTo(401);
        assertThat(ofAdmin.status()).isEqualTo(200);
    }

    @Test
    void withoutAddressesItIsForAdministratorsOfTheInstallation(@TempDir Path folder) {
        try (var app = TestApp.start(folder, Map.of("metrics-readers", ""))) {
            var closed = app.get("/metrics", null);
            assertThat(closed.status()).isEqualTo(401);
            assertThat(closed.text()).contains("the key of one", "metrics-readers");
            assertThat(app.get("/metrics", app.key("reader", "read")).status()).isEqualTo(403);
            assertThat(app.get("/metrics", app.secondOrganization("other")).status())
                    .isEqualTo(403);
            assertThat(app.get("/metrics", app.admin()).status()).isEqualTo(200);
        }
    }

    @Test
    void whoAsksForOpenMetricsGetsThat() {
        var plain = app().get("/metrics", null);
        var open = app().send(app().request("GET", "/metrics", null, null)
                .setHeader("Accept", "application/openmetrics-text; version=1.0.0"));

        assertThat(plain.header("Content-Type")).startsWith("text/plain; version=0.0.4");
        assertThat(open.header("Content-Type")).startsWith("application/openmetrics-text");
        assertThat(open.text()).endsWith("# EOF\n");
    }

    /// `promtool` of Prometheus itself reads it, and has nothing against its names.
    @Test
    void prometheusTakesIt(@TempDir Path folder) throws IOException, InterruptedException {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":")).anyMatch(at -> Files.isExecutable(Path.of(at, "promtool"))),
                "promtool is missing");
        app().push("counted/checked", "1.0.0", "public", "# Kit");
        var page = Files.writeString(
                folder.resolve("page"), app().get("/metrics", null).text());

        var check = new ProcessBuilder("promtool", "check", "metrics")
                .redirectInput(page.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(check.waitFor()).as(said).isZero();
    }

    @Test
    void countingARequestTakesNextToNoMemory() {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        var requests = new Metrics("test", false).requests();
        for (int i = 0; i < 20_000; i++) {
            requests.took("GET", RESOLVE, 200, i);
        }
        long before = threads.getCurrentThreadAllocatedBytes();

        for (int i = 0; i < 100_000; i++) {
            requests.took("GET", RESOLVE, 200, i);
        }

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(64 * 100_000);
    }
}
