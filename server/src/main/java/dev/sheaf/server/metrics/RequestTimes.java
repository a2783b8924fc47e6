package dev.sheaf.server.metrics;

import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/// How long requests take, by method, template of the route and class of the status: whatever is asked for, there are
/// no more of these than the program has. What is counted again takes some bytes of memory. Thread-safe.
public final class RequestTimes {
    /// In place of the template, where a path is none of the service's.
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

    /// @param template of the route, or [#UNKNOWN]
    /// @param status 0 where the connection broke before there was one
    public void took(String method, String template, int status, long nanos) {
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
        point.observe((double) nanos / TimeUnit.SECONDS.toNanos(1));
    }
}
