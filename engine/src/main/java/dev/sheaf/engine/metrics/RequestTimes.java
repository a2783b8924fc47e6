package dev.sheaf.engine.metrics;

import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/// The duration of requests by method, route template and status class. The number of combinations is limited,
/// because only the program's own routes are used as templates. Thread-safe.
public final class RequestTimes {
    /// The template of requests for a path without a route.
    public static final String UNKNOWN = "unknown";

    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other");
    private static final List<String> CLASSES = List.of("none", "1xx", "2xx", "3xx", "4xx", "5xx");
    private static final Function<String, AtomicReferenceArray<DistributionDataPoint>> ROW =
            template -> new AtomicReferenceArray<>(METHODS.size() * CLASSES.size());

    private final Histogram histogram;
    private final ConcurrentHashMap<String, AtomicReferenceArray<DistributionDataPoint>> rows =
            new ConcurrentHashMap<>();

    RequestTimes(Histogram histogram) {
        this.histogram = histogram;
    }

    /// @param template the template of the route, or [#UNKNOWN]
    /// @param status the status; 0 if the connection broke before the answer
    /// @param nanos the duration
    public void took(String method, String template, int status, long nanos) {
        point(method, template, status).observe(seconds(nanos));
    }

    /// Does the same for a request whose trace is recorded. The trace becomes an exemplar of the duration.
    public void took(String method, String template, int status, long nanos, Exemplar trace) {
        point(method, template, status)
                .observeWithExemplar(seconds(nanos), Labels.of("trace_id", trace.traceId(), "span_id", trace.spanId()));
    }

    /// The ids of a span, in hexadecimal digits.
    public record Exemplar(String traceId, String spanId) {}

    private static double seconds(long nanos) {
        return (double) nanos / TimeUnit.SECONDS.toNanos(1);
    }

    private DistributionDataPoint point(String method, String template, int status) {
        int known = METHODS.indexOf(method);
        int row = known < 0 ? METHODS.size() - 1 : known;
        int column = status / 100;
        var points = rows.computeIfAbsent(template, ROW);
        int place = row * CLASSES.size() + column;
        var point = points.get(place);
        if (point == null) {
            point = histogram.labelValues(METHODS.get(row), template, CLASSES.get(column));
            points.set(place, point);
        }
        return point;
    }
}
