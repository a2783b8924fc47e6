package dev.sheaf.server.metrics;

import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/// What a node counts of itself. A name is what is counted and its unit, in the words of Prometheus. Thread-safe.
public final class Metrics {
    private static final double[] SECONDS = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60
    };

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final RequestTimes requests;
    private boolean withJvm;

    /// All of it, in one form.
    public record Page(String mediaType, byte[] bytes) {}

    /// @param version of this program
    public Metrics(String version) {
        Info.builder()
                .name("sheaf_build_info")
                .help("The version of this program.")
                .labelNames("version")
                .register(registry)
                .addLabelValues(version);
        this.requests = new RequestTimes(histogram(
                "sheaf_http_request_seconds", "Requests, to the end of the answer.", "method", "route", "status"));
    }

    private Histogram histogram(String name, String help, String... labels) {
        return Histogram.builder()
                .name(name)
                .help(help)
                .labelNames(labels)
                .classicOnly()
                .classicUpperBounds(SECONDS)
                .withoutExemplars()
                .register(registry);
    }

    public RequestTimes requests() {
        return requests;
    }

    /// Counts calls, and how long they take.
    ///
    /// @param label of the name of a call
    public Stopwatch times(String name, String help, String label) {
        var histogram = histogram(name, help, label);
        var points = new ConcurrentHashMap<String, DistributionDataPoint>();
        Function<String, DistributionDataPoint> made = histogram::labelValues;
        return (call, nanos) ->
                points.computeIfAbsent(call, made).observe((double) nanos / TimeUnit.SECONDS.toNanos(1));
    }

    /// Tells a number of this moment, whenever it is asked for.
    public void gauge(String name, String help, DoubleSupplier value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .callback(to -> to.call(value.getAsDouble()))
                .register(registry);
    }

    /// The same of several things.
    ///
    /// @param values by the value of the label
    public void gauge(String name, String help, String label, Map<String, DoubleSupplier> values) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(label)
                .callback(to -> values.forEach((its, value) -> to.call(value.getAsDouble(), its)))
                .register(registry);
    }

    /// @param accept the header; as OpenMetrics where it asks for that, else as Prometheus reads it
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

    /// Only once anybody asks: what tells of the JVM takes time that a start does not have.
    private synchronized void addJvm() {
        if (!withJvm) {
            withJvm = true;
            JvmMemoryMetrics.builder().register(registry);
            JvmGarbageCollectorMetrics.builder().register(registry);
            JvmThreadsMetrics.builder().register(registry);
            JvmBufferPoolMetrics.builder().register(registry);
            JvmRuntimeInfoMetric.builder().register(registry);
            ProcessMetrics.builder().register(registry);
        }
    }
}
