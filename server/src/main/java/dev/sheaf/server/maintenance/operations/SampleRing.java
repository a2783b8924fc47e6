package dev.sheaf.server.maintenance.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The samples of a node, in memory: one a minute for a day, and the average of each hour for a month,
/// about 200 KiB. What was not measured is NaN. Thread-safe.
final class SampleRing {
    private static final int MINUTES = 1_440;
    private static final int HOURS = 720;
    private static final long HOUR = 3_600;

    private final Deque<Point> minutes = new ArrayDeque<>();
    private final Deque<Point> hours = new ArrayDeque<>();
    private final List<Point> hour = new ArrayList<>(); // of the hour that runs

    /// The values of one span of time.
    static final class Point {
        private final long end; // in seconds since 1970
        private final double[] values; // by measure

        private Point(long end, double[] values) {
            this.end = end;
            this.values = values;
        }

        Instant end() {
            return Instant.ofEpochSecond(end);
        }

        /// Returns a value; null if it was not measured.
        @Nullable
        Double value(SampleMeasure measure) {
            double value = values[measure.ordinal()];
            return Double.isNaN(value) ? null : value;
        }

        /// Returns the number of the span with that length in seconds. A sample at the end of a span
        /// belongs to it.
        private long span(long length) {
            return (end - 1) / length;
        }
    }

    synchronized void add(Instant end, double[] values) {
        var point = new Point(end.getEpochSecond(), values.clone());
        if (!hour.isEmpty() && hour.getFirst().span(HOUR) != point.span(HOUR)) {
            keep(hours, average(hour, (hour.getFirst().span(HOUR) + 1) * HOUR), HOURS);
            hour.clear();
        }
        hour.add(point);
        keep(minutes, point, MINUTES);
    }

    private static void keep(Deque<Point> ring, Point point, int most) {
        ring.addLast(point);
        if (ring.size() > most) {
            ring.removeFirst();
        }
    }

    /// Returns the last samples of minutes; empty if there are none.
    synchronized List<Point> minutes(Duration back, Instant now) {
        return after(minutes, now.minus(back));
    }

    /// Returns the averages of hours, the running hour last.
    synchronized List<Point> hours(Duration back, Instant now) {
        var all = new ArrayList<>(after(hours, now.minus(back)));
        if (!hour.isEmpty()) {
            all.add(average(hour, hour.getLast().end));
        }
        return all;
    }

    private static List<Point> after(Deque<Point> ring, Instant begin) {
        return ring.stream().filter(point -> point.end > begin.getEpochSecond()).toList();
    }

    /// Returns averages of spans that begin at whole multiples of their length; spans without a sample are
    /// left out.
    static List<Point> averages(List<Point> points, Duration length) {
        long seconds = length.toSeconds();
        var averages = new ArrayList<Point>();
        var span = new ArrayList<Point>();
        for (var point : points) {
            if (!span.isEmpty() && span.getFirst().span(seconds) != point.span(seconds)) {
                averages.add(average(span, (span.getFirst().span(seconds) + 1) * seconds));
                span.clear();
            }
            span.add(point);
        }
        if (!span.isEmpty()) {
            averages.add(average(span, span.getLast().end));
        }
        return averages;
    }

    private static Point average(List<Point> points, long end) {
        double[] sums = nothing();
        for (int i = 0; i < sums.length; i++) {
            double sum = 0;
            int measured = 0;
            for (var point : points) {
                if (!Double.isNaN(point.values[i])) {
                    sum += point.values[i];
                    measured++;
                }
            }
            sums[i] = measured == 0 ? Double.NaN : sum / measured;
        }
        return new Point(end, sums);
    }

    /// Returns values of which nothing was measured yet.
    static double[] nothing() {
        var values = new double[SampleMeasure.values().length];
        Arrays.fill(values, Double.NaN);
        return values;
    }
}
