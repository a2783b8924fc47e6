package dev.sheaf.server.maintenance.pages;

import dev.sheaf.model.wire.admin.NodeHealth;
import dev.sheaf.model.wire.admin.OperationsReport;
import dev.sheaf.model.wire.admin.OperationsReport.Sample;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.PageRoutes;
import dev.sheaf.server.console.chart.Chart;
import dev.sheaf.server.console.chart.SparkLine;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.RoutePermission;
import dev.sheaf.server.maintenance.InstallationStats;
import dev.sheaf.server.maintenance.operations.Operations;
import dev.sheaf.server.maintenance.operations.SampleSpan;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What the node and the installation do now and have done lately, and what they contain.
public final class OperationsPages {
    private static final String PATH = "/admin";
    private static final double FULL = 0.9;
    private static final long DAYS_LEFT = 60;
    private static final Map<String, String> PARTS = Map.of(
            "database", "Database",
            "changes", "Changes of other nodes",
            "store", "Content store",
            "disk", "Disk",
            "clock", "Clock",
            "certificate", "TLS certificate");

    private final Operations operations;
    private final InstallationStats stats;
    private final InstantSource clock;

    public OperationsPages(Operations operations, InstallationStats stats, InstantSource clock) {
        this.operations = operations;
        this.stats = stats;
        this.clock = clock;
    }

    public List<Route> routes(PageRoutes pages) {
        return List.of(
                pages.asking(PATH, RoutePermission.ADMIN, this::show),
                pages.asking(PATH + "/storage", RoutePermission.ADMIN, this::contents));
    }

    /// A number with its course.
    ///
    /// @param unit what the number counts, and its span
    /// @param isBad whether it needs a hand
    public record Tile(String name, String number, String unit, SparkLine spark, String note, boolean isBad) {}

    /// A part and whether it works.
    ///
    /// @param tone `ok`, `warn` or `bad`
    public record PartRow(
            String name,
            String tone,
            String state,
            String says,
            @Nullable Instant since) {}

    /// The charts of a span.
    ///
    /// @param charts empty if too little was measured
    public record Charts(String span, List<Chart> charts, List<OperationCharts.Row> rows) {
        /// Returns the span in words.
        public String title() {
            return switch (span) {
                case "hour" -> "An hour";
                case "month" -> "30 days";
                default -> "A day";
            };
        }

        /// Returns the spans that can be chosen, by the word in the address.
        public static Map<String, String> spans() {
            return Map.of("hour", "Hour", "day", "Day", "month", "Month");
        }
    }

    private Answer show(PageCall page) {
        var now = clock.instant();
        var span = span(page.query("span"));
        var report = operations.report(span);
        var day = new OperationCharts(operations.samples(SampleSpan.DAY), SampleSpan.DAY, now);
        var month = new OperationCharts(operations.samples(SampleSpan.MONTH), SampleSpan.MONTH, now);
        var shown = new OperationCharts(report.samples(), span, now);
        var parts = parts(report);
        return page.view("Operations", "maintenance/pages/operations")
                .with("report", report)
                .with(
                        "troubled",
                        parts.stream().filter(part -> !part.tone().equals("ok")).count())
                .with("tiles", tiles(report, last(), day))
                .with("parts", parts)
                .with(
                        "charts",
                        new Charts(
                                span.toString(),
                                shown.isEmpty()
                                        ? List.of()
                                        : List.of(shown.requests(), shown.errors(), shown.latency()),
                                shown.isEmpty() ? List.of() : shown.rows()))
                .with("disk", month.isEmpty() ? List.<Chart>of() : List.of(month.disk(report.disk())))
                .with("backup", backup(report))
                .with("groups", TaskLook.groups(report.tasks()))
                .with(
                        "here",
                        ApiPath.of(PATH)
                                .with("span", span == SampleSpan.DAY ? null : span.toString())
                                .toString())
                .in("admin")
                .forMachines("GET /v1/admin/operations", "")
                .show();
    }

    private static SampleSpan span(@Nullable String word) {
        return word == null ? SampleSpan.DAY : SampleSpan.parse(word);
    }

    private @Nullable Sample last() {
        var samples = operations.samples(SampleSpan.HOUR);
        return samples.isEmpty() ? null : samples.getLast();
    }

    /// Returns the last successful backup; empty if there is none among the kept runs.
    private static List<OperationsReport.TaskEnd> backup(OperationsReport report) {
        return report.tasks().stream()
                .filter(task -> task.task().equals("backup") && task.succeededAt() != null)
                .toList();
    }

    // --- the numbers ---

    private static List<Tile> tiles(OperationsReport report, @Nullable Sample last, OperationCharts day) {
        return List.of(
                requests(last, day),
                errors(last, day),
                latency(last, day),
                jobs(report, day),
                deliveries(report, day),
                load(last, day));
    }

    private static Tile requests(@Nullable Sample last, OperationCharts day) {
        var now = last == null ? null : last.requests();
        return new Tile(
                "Requests",
                now == null ? "–" : OperationCharts.count(now),
                now == null ? "not measured yet" : "per minute",
                day.spark("Requests a minute", Sample::requests, OperationCharts::count),
                day.most(Sample::requests)
                        .map(most -> "most: " + OperationCharts.count(most.value()) + " at " + day.time(most.at()))
                        .orElse(""),
                false);
    }

    private static Tile errors(@Nullable Sample last, OperationCharts day) {
        var now = last == null ? null : last.errors();
        var requests = last == null ? null : last.requests();
        return new Tile(
                "Errors",
                now == null ? "–" : OperationCharts.count(now),
                now == null ? "not measured yet" : "per minute",
                day.spark("Errors a minute", Sample::errors, OperationCharts::count),
                now == null || requests == null || requests == 0
                        ? ""
                        : String.format(Locale.ENGLISH, "%.2f %% of the requests", now / requests * 100),
                now != null && now > 0);
    }

    private static Tile latency(@Nullable Sample last, OperationCharts day) {
        var half = last == null ? null : last.medianMs();
        var slow = last == null ? null : last.p99Ms();
        return new Tile(
                "Latency",
                half == null ? "–" : OperationCharts.milliseconds(half),
                half == null ? "no request in the last minute" : "half are faster",
                day.spark("Median latency", Sample::medianMs, OperationCharts::milliseconds),
                slow == null ? "" : "99 of 100: " + OperationCharts.milliseconds(slow),
                false);
    }

    private static Tile jobs(OperationsReport report, OperationCharts day) {
        var waiting = report.jobsWaiting();
        int queues = report.queues().size();
        return new Tile(
                "Jobs that wait",
                waiting == null ? "–" : PageFormat.number(waiting),
                waiting == null
                        ? "the database does not answer"
                        : waiting == 0 ? "in all queues" : "in " + PageFormat.count(queues, "queue", "queues"),
                day.spark("Jobs that wait", Sample::jobsWaiting, OperationCharts::count),
                "",
                false);
    }

    private static Tile deliveries(OperationsReport report, OperationCharts day) {
        var waiting = report.deliveriesWaiting();
        int failing = report.webhooks().size();
        return new Tile(
                "Webhook deliveries",
                waiting == null ? "–" : PageFormat.number(waiting),
                waiting == null ? "the database does not answer" : "wait for another try",
                day.spark("Deliveries that wait for another try", Sample::deliveriesWaiting, OperationCharts::count),
                failing == 0 ? "no webhook fails" : PageFormat.count(failing, "webhook fails", "webhooks fail"),
                failing > 0);
    }

    private static Tile load(@Nullable Sample last, OperationCharts day) {
        var cpu = last == null ? null : last.cpu();
        var heap = last == null ? null : last.heapUsed();
        return new Tile(
                "Processors",
                cpu == null ? "–" : percent(cpu),
                cpu == null ? "not measured yet" : "used by this node",
                day.spark("Used share of the processors", Sample::cpu, OperationsPages::percent),
                heap == null
                        ? ""
                        : "heap: " + PageFormat.size(heap) + " of "
                                + PageFormat.size(Runtime.getRuntime().maxMemory()),
                false);
    }

    private static String percent(double share) {
        return Math.round(share * 100) + " %";
    }

    // --- the parts ---

    private static List<PartRow> parts(OperationsReport report) {
        var rows = new ArrayList<PartRow>();
        for (var part : report.health().parts()) {
            rows.add(part.name().equals("disk") && part.detail() == null ? disk(part, report.disk()) : row(part));
        }
        var webhooks = report.webhooks();
        rows.add(new PartRow(
                "Webhooks",
                webhooks.isEmpty() ? "ok" : "bad",
                webhooks.isEmpty() ? "Works" : "Fails",
                webhooks.isEmpty()
                        ? "no webhook fails"
                        : PageFormat.count(webhooks.size(), "webhook fails", "webhooks fail"),
                webhooks.isEmpty() ? null : webhooks.getFirst().since()));
        return rows;
    }

    private static PartRow row(NodeHealth.Part part) {
        boolean works = part.detail() == null;
        String says = PageFormat.text(part.about());
        if (!works) {
            says = part.detail() + (says.isEmpty() ? "" : "; " + says);
        }
        return new PartRow(
                name(part),
                works ? "ok" : part.needed() ? "bad" : "warn",
                works ? "Works" : part.needed() ? "Fails" : "Look",
                says,
                part.since());
    }

    private static String name(NodeHealth.Part part) {
        return PARTS.getOrDefault(part.name(), part.name());
    }

    /// A disk that works may still be full soon.
    private static PartRow disk(NodeHealth.Part part, OperationsReport.Disk disk) {
        long left = disk.free() - disk.reserved();
        Long growth = disk.growthPerDay();
        long days = growth == null || growth <= 0 ? Long.MAX_VALUE : left / growth;
        boolean isNear = disk.free() < disk.total() * (1 - FULL) || days < DAYS_LEFT;
        String soon = days < DAYS_LEFT ? "; full in " + PageFormat.count(days, "day", "days") : "";
        return new PartRow(
                name(part),
                isNear ? "warn" : "ok",
                isNear ? "Look" : "Works",
                Objects.requireNonNullElse(part.about(), "") + soon,
                part.since());
    }

    // --- contents ---

    /// A count of the contents.
    public record Content(String name, String count) {}

    private Answer contents(PageCall page) {
        return page.view("Storage", "maintenance/pages/storage")
                .with("contents", contents(stats.read()))
                .with("report", operations.report(SampleSpan.HOUR))
                .in("admin")
                .forMachines("GET /v1/admin/stats", "sheaf admin stats")
                .show();
    }

    private static List<Content> contents(Map<String, Object> stats) {
        return stats.entrySet().stream()
                .map(entry -> new Content(words(entry.getKey()), value(entry.getKey(), entry.getValue())))
                .toList();
    }

    private static String words(String name) {
        return switch (name) {
            case "engine" -> "Database";
            case "apiKeys" -> "API keys that are not revoked";
            case "manifestBytes" -> "Size of the manifests";
            case "blobBytes" -> "Size of the blobs, each counted once";
            case "linkedBytes" -> "Size of the blobs, counted for each repository";
            case "blobsInDatabase" -> "Small blobs in the database";
            case "damagedBlobs" -> "Damaged blobs";
            case "blobLinks" -> "Uses of blobs by repositories";
            case "uploads" -> "Open uploads";
            case "deletionsQueued" -> "Objects that wait for their deletion";
            default -> name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        };
    }

    private static String value(String name, Object value) {
        if (value instanceof Number number) {
            return name.endsWith("Bytes") ? PageFormat.size(number.longValue()) : PageFormat.number(number.longValue());
        }
        return switch (String.valueOf(value)) {
            case "sqlite" -> "SQLite";
            case "postgresql" -> "PostgreSQL";
            default -> String.valueOf(value);
        };
    }
}
