package dev.sheaf.server.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.Eventually;
import dev.sheaf.server.testing.TestApp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The alert rules, the dashboard and the runbook fit together, and name metrics that a node has.
@Tag("programs")
class MonitoringFilesTest {
    private static final Path FOLDER = Path.of("../packaging/monitoring");
    private static final Pattern METRIC =
            Pattern.compile("\\b((?:sheaf|jvm|process)_[a-z_]+?)(?:_bucket|_count|_sum)?\\b");

    private static String text(String file) throws IOException {
        return Files.readString(FOLDER.resolve(file));
    }

    private static Set<String> found(Pattern pattern, String text) {
        var found = new TreeSet<String>();
        pattern.matcher(text).results().forEach(hit -> found.add(hit.group(1)));
        return found;
    }

    @Test
    void everyMetricExists(@TempDir Path folder) throws IOException {
        var page = new StringBuilder();
        try (var app = TestApp.start(folder)) {
            Eventually.within(
                    Duration.ofMinutes(1),
                    () -> { // a request is counted after its answer was sent
                        page.setLength(0);
                        page.append(app.get("/metrics", null).text());
                        return page.indexOf("sheaf_http_request_seconds") >= 0;
                    });
        }
        var known = found(Pattern.compile("(?m)^# TYPE (\\S+?)(?:_total|_info)? "), page.toString());
        var named = found(METRIC, text("alerts.yaml") + text("dashboard.json"));
        named.remove("sheaf_certificate_end_seconds"); // only with TLS
        named.remove("sheaf_task_success_seconds"); // only after a task
        named.remove("sheaf_task_failure_seconds");
        named.remove("sheaf_task_faults");
        named.remove("sheaf_recurring_progress"); // only while one runs
        named.remove("sheaf_lease_expiries_total"); // only after one
        named.remove("sheaf_breaker_open"); // only with PostgreSQL or a bucket

        assertThat(named).hasSizeGreaterThan(10);
        for (String name : named) {
            assertThat(known).contains(name.replaceFirst("_(total|info)$", ""));
        }
    }

    @Test
    void everyMetricOfTheProgramIsOnItsPage(@TempDir Path folder) throws IOException {
        String docs = Files.readString(Path.of("../docs/monitoring.md"));
        try (var app = TestApp.start(folder)) {
            for (String name : found(
                    Pattern.compile("(?m)^# TYPE (sheaf_\\S+) "),
                    app.get("/metrics", null).text())) {
                assertThat(docs).contains('`' + name + '`');
            }
        }
    }

    @Test
    void everyAlertHasASectionInTheRunbook() throws IOException {
        var alerts = found(Pattern.compile("(?m)- alert: (\\S+)$"), text("alerts.yaml"));
        var sections = found(Pattern.compile("(?m)^## (\\S+)$"), Files.readString(Path.of("../docs/runbook.md")));

        assertThat(alerts).isNotEmpty().isEqualTo(sections);
    }

    @Test
    void prometheusTakesTheRules() throws IOException, InterruptedException {
        assumeTrue(AlertRules.areThere(), "promtool is missing");
        var run = new ProcessBuilder("promtool", "check", "rules", "alerts.yaml")
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(run.waitFor()).as(said).isZero();
    }
}
