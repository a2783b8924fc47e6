package dev.sheaf.engine.metrics;

import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

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

    /// What this node has counted since its start.
    ///
    /// @param requests all requests that have ended
    /// @param failures those that the server answered with a status of 500 or more
    /// @param timed the number of timed requests by duration: how many took up to 1 ms, up to 2.5 ms, and
    /// so on as in the metric; the last number has no limit
    public record Totals(long requests, long failures, List<Long> timed) {
        public static final Totals NONE = new Totals(0, 0, List.of());

        public Totals {
            timed = List.copyOf(timed);
        }

        /// Returns what was counted since an earlier moment.
        public Totals since(Totals before) {
            var counts = new Long[timed.size()];
            for (int i = 0; i < counts.length; i++) {
                counts[i] = timed.get(i) - (i < before.timed.size() ? before.timed.get(i) : 0);
            }
            return new Totals(requests - before.requests, failures - before.failures, List.of(counts));
        }

        /// Returns the milliseconds within which a share of the timed requests ended, estimated within the
        /// two limits around it; null if none was timed.
        ///
        /// @param share from 0 to 1, such as 0.99
        public @Nullable Double milliseconds(double share) {
            long all = timed.stream().mapToLong(Long::longValue).sum();
            if (all == 0) {
                return null;
            }
            double wanted = all * share;
            double passed = 0;
            for (int i = 0; i < timed.size() - 1; i++) {
                long count = timed.get(i);
                if (count > 0 && passed + count >= wanted) {
                    double lower = i == 0 ? 0 : Metrics.limit(i - 1);
                    double part = (wanted - passed) / count;
                    return (lower + (Metrics.limit(i) - lower) * part) * TimeUnit.SECONDS.toMillis(1);
                }
                passed += count;
            }
            return Metrics.limit(timed.size() - 2) * TimeUnit.SECONDS.toMillis(1);
        }
    }

    /// Adds up what was counted. Costs as much as a scrape of this metric.
    ///
    /// @param isTimed whether the requests of a route are timed; those that wait for something by design
    /// should not be
    public Totals totals(Predicate<String> isTimed) {
        long requests = 0;
        long failures = 0;
        long[] timed = new long[0];
        for (var point : histogram.collect().getDataPoints()) {
            var buckets = point.getClassicBuckets();
            timed = timed.length == 0 ? new long[buckets.size()] : timed;
            boolean counts = isTimed.test(String.valueOf(point.getLabels().get("route")));
            long all = 0;
            for (int i = 0; i < buckets.size(); i++) {
                all += buckets.getCount(i);
                timed[i] += counts ? buckets.getCount(i) : 0;
            }
            requests += all;
            failures += "5xx".equals(point.getLabels().get("status")) ? all : 0;
        }
        return new Totals(requests, failures, Arrays.stream(timed).boxed().toList());
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
