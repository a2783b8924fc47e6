package dev.sheaf.server.ops;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The alert rules, evaluated by Prometheus's promtool on pages of a node. What the node did between two pages is
/// taken to go on: counters keep growing as fast, everything else stays.
final class AlertRules {
    static final Path FILE = Path.of("../packaging/monitoring/alerts.yaml").toAbsolutePath();

    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z_]+)(?:\\{(.*)})? (\\S+)$");
    private static final Pattern COUNTER = Pattern.compile("(?m)^# TYPE (\\S+) (?:counter|histogram)$");
    private static final Pattern NAME = Pattern.compile("\\b(?:sheaf|jvm)_[a-z_]+\\b");
    private static final Pattern TIME = Pattern.compile(".*_(?:success|failure|end)_seconds");

    private final Path folder;

    AlertRules(Path folder) {
        this.folder = folder;
    }

    static boolean areThere() {
        return Stream.of(System.getenv("PATH").split(":")).anyMatch(at -> Files.isExecutable(Path.of(at, "promtool")));
    }

    /// The names of all alerts.
    static Set<String> names() throws IOException {
        return Pattern.compile("(?m)- alert: (\\S+)$")
                .matcher(Files.readString(FILE))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// The alerts that fire some time after a node gave two pages.
    ///
    /// @param after empty: the node did not answer
    Set<String> firing(String before, String after, Duration later) throws IOException, InterruptedException {
        long minutes = later.toMinutes();
        var wanted = NAME.matcher(Files.readString(FILE))
                .results()
                .map(found -> found.group())
                .collect(Collectors.toSet());
        var counters =
                COUNTER.matcher(after).results().map(found -> found.group(1)).collect(Collectors.toSet());
        var first = samples(before);
        var series =
                new StringBuilder(series("up{job=\"sheaf\",instance=\"a\"}", after.isEmpty() ? "0" : "1", minutes));
        samples(after).forEach((name, value) -> {
            String metric = name.substring(0, name.indexOf('{'));
            if (wanted.contains(metric)) {
                boolean grows = counters.contains(metric.replaceFirst("_(bucket|count|sum)$", ""));
                var more = value.subtract(first.getOrDefault(name, BigDecimal.ZERO));
                series.append(
                        grows
                                ? series(name, value.toPlainString() + "+" + more.toPlainString(), minutes)
                                : series(name, sinceNow(metric, value).toPlainString() + "+0", minutes));
            }
        });
        return names(run(series.toString(), minutes));
    }

    /// The alerts that fire if the room on a disk of 40 GB shrinks by an equal part each minute for some time.
    Set<String> firingWhileTheDiskFills(long bytesInAMinute, Duration time) throws IOException, InterruptedException {
        long minutes = time.toMinutes();
        String free = series("sheaf_disk_free_bytes{instance=\"a\"}", "40000000000-" + bytesInAMinute, minutes);
        return names(run(free + series("sheaf_disk_reserved_bytes{instance=\"a\"}", "0", minutes), minutes));
    }

    /// The clock of promtool begins at 1970, so times are taken as those since now.
    private static BigDecimal sinceNow(String metric, BigDecimal value) {
        return TIME.matcher(metric).matches()
                ? value.subtract(BigDecimal.valueOf(Instant.now().getEpochSecond()))
                : value;
    }

    private static String series(String name, String value, long minutes) {
        return "      - { series: '%s', values: \"%sx%d\" }%n".formatted(name, value, minutes);
    }

    private static Map<String, BigDecimal> samples(String page) {
        var samples = new LinkedHashMap<String, BigDecimal>();
        SAMPLE.matcher(page)
                .results()
                .filter(found -> !found.group(3).equals("NaN"))
                .forEach(found -> {
                    String labels = found.group(2) == null ? "" : found.group(2) + ",";
                    samples.put(
                            found.group(1) + "{" + labels + "job=\"sheaf\",instance=\"a\"}",
                            new BigDecimal(found.group(3)));
                });
        return samples;
    }

    /// Asks for what no alert is called, so that the answer tells what fires.
    private String run(String series, long minutes) throws IOException, InterruptedException {
        var file = Files.writeString(folder.resolve("test.yaml"), """
                rule_files: [%s]
                evaluation_interval: 1m
                tests:
                  - interval: 1m
                    input_series:
                %s
                    promql_expr_test:
                      - expr: 'count by (alertname) (ALERTS{alertstate="firing"})'
                        eval_time: %dm
                        exp_samples: [{ labels: '{alertname="asked"}', value: 1 }]
                """.formatted(FILE, series, minutes));
        var run = new ProcessBuilder("promtool", "test", "rules", file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        run.waitFor();
        if (!said.contains("exp:")) {
            throw new IllegalStateException(said);
        }
        return said;
    }

    private static Set<String> names(String said) {
        String got = said.substring(said.indexOf("got:"));
        return Pattern.compile("alertname=\"(\\w+)\"")
                .matcher(got)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
