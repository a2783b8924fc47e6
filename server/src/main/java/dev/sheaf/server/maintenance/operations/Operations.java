package dev.sheaf.server.maintenance.operations;

import dev.sheaf.engine.metrics.RequestTimes;
import dev.sheaf.model.wire.admin.NodeHealth;
import dev.sheaf.model.wire.admin.OperationsReport;
import dev.sheaf.server.maintenance.Tasks;
import dev.sheaf.server.maintenance.operations.SampleRing.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What this node and its installation do now and have done lately. A timer calls [#sample] once a minute;
/// it reads counters that exist, so a request pays nothing for it. Samples are in memory and end with the
/// node. Thread-safe.
public final class Operations {
    /// The time between two samples.
    public static final Duration EVERY = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Operations.class);
    private static final Duration FOR_GROWTH = Duration.ofHours(6);

    private final Sources sources;
    private final Tasks tasks;
    private final InstantSource clock;
    private final Instant startedAt;
    private final int processors = Runtime.getRuntime().availableProcessors();
    private final SampleRing ring = new SampleRing();
    private final String machine = machine();
    private Counted last;

    /// What a sample and a report read.
    ///
    /// @param version the version of the program
    /// @param requests adds up the requests of this node
    /// @param nodes how many nodes run
    /// @param running the nodes that run; empty if only this one can
    /// @param jobsWaiting jobs that a worker can claim
    /// @param deliveriesWaiting deliveries that are tried again later
    /// @param disk the disk of the data directory
    /// @param contentCheckedSince when the content was last checked that was not checked for longest; null
    /// if there is none
    /// @param settings the settings that are not the default
    public record Sources(
            String version,
            Supplier<NodeHealth> health,
            Supplier<RequestTimes.Totals> requests,
            LongSupplier nodes,
            Supplier<List<OperationsReport.Node>> running,
            LongSupplier jobsWaiting,
            Supplier<List<OperationsReport.QueueDepth>> queues,
            LongSupplier deliveriesWaiting,
            Supplier<List<OperationsReport.FailingWebhook>> webhooks,
            Supplier<DiskSpace> disk,
            Supplier<@Nullable Instant> contentCheckedSince,
            List<OperationsReport.ChangedSetting> settings) {
        public Sources {
            settings = List.copyOf(settings);
        }
    }

    /// The space on a disk, in bytes.
    ///
    /// @param reserved the free space below which content is refused
    public record DiskSpace(long total, long free, long reserved) {}

    /// Counters at a moment.
    private record Counted(Instant at, RequestTimes.Totals requests, Duration cpu) {}

    public Operations(Sources sources, Tasks tasks, InstantSource clock) {
        this.sources = sources;
        this.tasks = tasks;
        this.clock = clock;
        this.startedAt = clock.instant();
        this.last = new Counted(startedAt, RequestTimes.Totals.NONE, cpu());
    }

    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /// Measures the time since the last sample.
    public synchronized void sample() {
        var now = new Counted(clock.instant(), sources.requests().get(), cpu());
        var length = Duration.between(last.at(), now.at());
        if (!length.isPositive()) {
            return; // the clock was set back
        }
        var counted = now.requests().since(last.requests());
        double minutes = length.toMillis() / (double) Duration.ofMinutes(1).toMillis();
        var values = SampleRing.nothing();
        set(values, SampleMeasure.REQUESTS, counted.requests() / minutes);
        set(values, SampleMeasure.ERRORS, counted.failures() / minutes);
        set(values, SampleMeasure.MEDIAN_MS, counted.milliseconds(0.5));
        set(values, SampleMeasure.P99_MS, counted.milliseconds(0.99));
        set(values, SampleMeasure.JOBS_WAITING, asked(sources.jobsWaiting()::getAsLong));
        set(values, SampleMeasure.DELIVERIES_WAITING, asked(sources.deliveriesWaiting()::getAsLong));
        var disk = sources.disk().get();
        set(values, SampleMeasure.DISK_USED, disk.total() - disk.free());
        double busy = now.cpu().minus(last.cpu()).toNanos() / (double) length.toNanos() / processors;
        set(values, SampleMeasure.CPU, Math.clamp(busy, 0, 1));
        set(values, SampleMeasure.HEAP_USED, heapUsed());
        asked(sources.health()); // so that the health knows when a part began to fail
        ring.add(now.at(), values);
        last = now;
    }

    private static void set(double[] values, SampleMeasure measure, @Nullable Number value) {
        if (value != null) {
            values[measure.ordinal()] = value.doubleValue();
        }
    }

    private static long heapUsed() {
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /// Asks the database; null if it does not answer, which the health shows, or has nothing.
    private static <T extends @Nullable Object> @Nullable T asked(Supplier<T> question) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            LOG.debug("the database could not be asked", e);
            return null;
        }
    }

    /// Returns the whole state, with the samples of a span.
    public OperationsReport report(SampleSpan span) {
        var disk = sources.disk().get();
        return new OperationsReport(
                sources.version(),
                startedAt,
                sources.nodes().getAsLong(),
                running(),
                sources.health().get(),
                new OperationsReport.Disk(disk.total(), disk.free(), disk.reserved(), growth()),
                asked(sources.jobsWaiting()::getAsLong),
                Objects.requireNonNullElse(asked(sources.queues()), List.of()),
                asked(sources.deliveriesWaiting()::getAsLong),
                Objects.requireNonNullElse(asked(sources.webhooks()), List.of()),
                tasks.ends(),
                asked(sources.contentCheckedSince()),
                sources.settings(),
                span.toString(),
                samples(span));
    }

    private List<OperationsReport.Node> running() {
        var all = asked(sources.running());
        return all == null || all.isEmpty() ? List.of(own()) : all;
    }

    /// Returns the description of this node, with the newest measurements.
    public OperationsReport.Node own() {
        var points = ring.minutes(EVERY.multipliedBy(2), clock.instant());
        var newest = points.isEmpty() ? null : points.getLast();
        var busy = newest == null ? null : newest.value(SampleMeasure.CPU);
        return new OperationsReport.Node(
                machine,
                sources.version(),
                startedAt,
                newest == null ? null : whole(newest.value(SampleMeasure.REQUESTS)),
                busy == null ? null : Integer.valueOf((int) Math.round(busy * 100)),
                heapUsed(),
                Runtime.getRuntime().maxMemory());
    }

    /// Returns the name of the machine; empty if the system does not tell it.
    private static String machine() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /// Returns the samples of a span, the oldest first.
    public List<OperationsReport.Sample> samples(SampleSpan span) {
        var now = clock.instant();
        var points = switch (span) {
            case HOUR -> ring.minutes(span.back(), now);
            case DAY -> SampleRing.averages(ring.minutes(span.back(), now), span.step());
            case MONTH -> ring.hours(span.back(), now);
        };
        return points.stream().map(point -> sample(point, span.step())).toList();
    }

    private static OperationsReport.Sample sample(Point point, Duration step) {
        return new OperationsReport.Sample(
                point.end(),
                step.toSeconds(),
                rounded(point.value(SampleMeasure.REQUESTS)),
                rounded(point.value(SampleMeasure.ERRORS)),
                rounded(point.value(SampleMeasure.MEDIAN_MS)),
                rounded(point.value(SampleMeasure.P99_MS)),
                whole(point.value(SampleMeasure.JOBS_WAITING)),
                whole(point.value(SampleMeasure.DELIVERIES_WAITING)),
                whole(point.value(SampleMeasure.DISK_USED)),
                rounded(point.value(SampleMeasure.CPU)),
                whole(point.value(SampleMeasure.HEAP_USED)));
    }

    private static @Nullable Double rounded(@Nullable Double value) {
        return value == null ? null : Double.valueOf(Math.round(value * 1_000) / 1_000.0);
    }

    private static @Nullable Long whole(@Nullable Double value) {
        return value == null ? null : Long.valueOf(Math.round(value));
    }

    /// Returns how many more bytes of the disk are used each day; null if the samples cover too little time
    /// to say so.
    private @Nullable Long growth() {
        var points = ring.hours(SampleSpan.MONTH.back(), clock.instant());
        if (points.size() < 2) {
            return null;
        }
        var length = Duration.between(points.getFirst().end(), points.getLast().end());
        var before = points.getFirst().value(SampleMeasure.DISK_USED);
        var after = points.getLast().value(SampleMeasure.DISK_USED);
        if (before == null || after == null || length.compareTo(FOR_GROWTH) < 0) {
            return null;
        }
        return Math.round((after - before)
                / (length.toSeconds() / (double) Duration.ofDays(1).toSeconds()));
    }
}
