package dev.sheaf.engine.metrics;

import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.instrumentation.jvm.JvmBufferPoolMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmRuntimeInfoMetric;
import io.prometheus.metrics.instrumentation.jvm.JvmThreadsMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.jspecify.annotations.Nullable;

/// The metrics of a node. Names contain the unit, as is the convention in Prometheus. Thread-safe.
public final class Metrics {
    private static final double[] SECONDS = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60
    };

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final RequestTimes requests;
    private final RecurringRuns recurring = new RecurringRuns();
    private boolean withJvm;

    /// All metrics, in one format.
    public record Page(String mediaType, byte[] bytes) {}

    /// @param version the version of this program
    /// @param traced whether requests have traces, which become exemplars
    public Metrics(String version, boolean traced) {
        Info.builder()
                .name("sheaf_build_info")
                .help("The version of this program.")
                .labelNames("version")
                .register(registry)
                .addLabelValues(version);
        var times = histogram(
                "sheaf_http_request_seconds", "Requests, until the end of the answer.", "method", "route", "status");
        this.requests = new RequestTimes((traced ? times.withExemplars() : times).register(registry));
        recurring.register(this);
    }

    /// Returns a limit of the histograms of durations, in seconds.
    static double limit(int index) {
        return SECONDS[index];
    }

    private static Histogram.Builder histogram(String name, String help, String... labels) {
        return Histogram.builder()
                .name(name)
                .help(help)
                .labelNames(labels)
                .classicOnly()
                .classicUpperBounds(SECONDS)
                .withoutExemplars();
    }

    public RequestTimes requests() {
        return requests;
    }

    public RecurringRuns recurring() {
        return recurring;
    }

    /// Returns a stopwatch that counts calls and measures their duration.
    ///
    /// @param label the label whose value is the name of the call
    public CallTimes times(String name, String help, String label) {
        var histogram = histogram(name, help, label).register(registry);
        var points = new ConcurrentHashMap<String, DistributionDataPoint>();
        Function<String, DistributionDataPoint> made = histogram::labelValues;
        return (call, nanos, failure) ->
                points.computeIfAbsent(call, made).observe((double) nanos / TimeUnit.SECONDS.toNanos(1));
    }

    /// Returns a stopwatch as [#times] does, which also counts bytes, by direction.
    public CallTimes storeTimes(String name, String help, String label, String bytes) {
        var times = times(name, help, label);
        var moved = new LabeledCounter();
        var read = moved.of("read");
        var written = moved.of("written");
        counts(bytes, "Bytes read from and written to the store of content.", moved, "direction");
        return new CallTimes() {
            @Override
            public void took(String call, long nanos, @Nullable Throwable failure) {
                times.took(call, nanos, failure);
            }

            @Override
            public void read(long count) {
                read.add(count);
            }

            @Override
            public void written(long count) {
                written.add(count);
            }
        };
    }

    /// Returns a consumer of durations in nanoseconds with one fixed label.
    public LongConsumer time(String name, String help, String label, String value) {
        return seconds(histogram(name, help, label).register(registry).labelValues(value));
    }

    /// Returns a consumer of durations in nanoseconds.
    public LongConsumer time(String name, String help) {
        return seconds(histogram(name, help).register(registry));
    }

    private static LongConsumer seconds(DistributionDataPoint point) {
        return nanos -> point.observe((double) nanos / TimeUnit.SECONDS.toNanos(1));
    }

    /// Returns a consumer of sizes, such as numbers of items.
    ///
    /// @param most the highest limit of the histogram; the others are the smaller powers of two
    public LongConsumer sizes(String name, String help, int most) {
        var histogram = Histogram.builder()
                .name(name)
                .help(help)
                .classicOnly()
                .classicExponentialUpperBounds(1, 2, 1 + Integer.numberOfTrailingZeros(Integer.highestOneBit(most)))
                .withoutExemplars()
                .register(registry);
        return histogram::observe;
    }

    /// Adds a number that is read at each scrape.
    public void gauge(String name, String help, DoubleSupplier value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .callback(to -> to.call(value.getAsDouble()))
                .register(registry);
    }

    /// Adds a number with a label.
    ///
    /// @param values the numbers by label value, read at each scrape
    public void gauge(String name, String help, String label, Map<String, DoubleSupplier> values) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(label)
                .callback(to -> values.forEach((its, value) -> to.call(value.getAsDouble(), its)))
                .register(registry);
    }

    /// Adds a number with a label, whose label values can change.
    ///
    /// @param values returns the numbers by label value; called once at each scrape
    public void gauges(String name, String help, String label, Supplier<Map<String, Double>> values) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(label)
                .callback(to -> values.get().forEach((its, value) -> to.call(value, its)))
                .register(registry);
    }

    /// Adds a count with a label that only grows; its name ends with `_total`.
    ///
    /// @param values returns the counts by label value; called once at each scrape
    public void counts(String name, String help, String label, Supplier<Map<String, Double>> values) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(label)
                .callback(to -> values.get().forEach((its, value) -> to.call(value, its)))
                .register(registry);
    }

    /// Adds counts that only grow; their name ends with `_total`.
    public void counts(String name, String help, LabeledCounter tally, String... labels) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(labels)
                .callback(to -> tally.forEach((values, count) -> to.call(count.doubleValue(), values)))
                .register(registry);
    }

    /// Returns all metrics, as OpenMetrics if the client asks for that, otherwise in the text format of
    /// Prometheus.
    ///
    /// @param accept the Accept header
    public Page page(String accept) {
        addJvm();
        var writer = ExpositionFormats.init().findWriter(accept);
        var bytes = new ByteArrayOutputStream();
        try {
            writer.write(bytes, registry.scrape());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Page(writer.getContentType(), bytes.toByteArray());
    }

    private void virtualThreads(VirtualThreadSchedulerMXBean scheduler) {
        gauge("jvm_virtual_threads_parallelism", "Virtual threads that can run at once.", scheduler::getParallelism);
        gauge(
                "jvm_virtual_threads_carriers",
                "Threads that carry virtual threads; more than the parallelism while virtual threads are pinned.",
                scheduler::getPoolSize);
        gauge(
                "jvm_virtual_threads_mounted",
                "Virtual threads that run or are pinned.",
                scheduler::getMountedVirtualThreadCount);
        gauge(
                "jvm_virtual_threads_queued",
                "Virtual threads that wait for a carrier.",
                scheduler::getQueuedVirtualThreadCount);
    }

    /// Adds the metrics of the JVM at the first scrape. They take time to load, which would delay the start.
    private synchronized void addJvm() {
        if (!withJvm) {
            withJvm = true;
            JvmMemoryMetrics.builder().register(registry);
            JvmGarbageCollectorMetrics.builder().register(registry);
            JvmThreadsMetrics.builder().register(registry);
            JvmBufferPoolMetrics.builder().register(registry);
            JvmRuntimeInfoMetric.builder().register(registry);
            ProcessMetrics.builder().register(registry);
            virtualThreads(ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class));
        }
    }
}
