package dev.sheaf.server.maintenance.pages;

import dev.sheaf.model.wire.admin.OperationsReport;
import dev.sheaf.model.wire.admin.OperationsReport.Sample;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.ReaderZone;
import dev.sheaf.server.console.chart.Chart;
import dev.sheaf.server.console.chart.Plot;
import dev.sheaf.server.console.chart.Plot.Spot;
import dev.sheaf.server.console.chart.SparkLine;
import dev.sheaf.server.maintenance.operations.SampleSpan;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Draws the samples of a span that ends now.
public final class OperationCharts {
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM", Locale.ENGLISH);
    private static final int TIMES = 4; // parts of the horizontal axis

    private final List<Sample> samples;
    private final SampleSpan span;
    private final Instant now;

    /// @param samples the oldest first
    OperationCharts(List<Sample> samples, SampleSpan span, Instant now) {
        this.samples = List.copyOf(samples);
        this.span = span;
        this.now = now;
    }

    /// Returns whether there is anything to draw.
    boolean isEmpty() {
        return samples.size() < 2;
    }

    private static String words(SampleSpan span) {
        return switch (span) {
            case HOUR -> "1 hour";
            case DAY -> "24 hours";
            case MONTH -> "30 days";
        };
    }

    private double x(Instant at) {
        return Math.clamp(
                1 - Duration.between(at, now).toMillis() / (double) span.back().toMillis(), 0, 1);
    }

    private List<Spot> spots(Function<Sample, @Nullable Number> measure) {
        return samples.stream()
                .map(sample -> {
                    var value = measure.apply(sample);
                    return new Spot(x(sample.at()), value == null ? null : value.doubleValue());
                })
                .toList();
    }

    private static Plot plot(List<Spot> spots) {
        return Plot.of(spots.stream().map(Spot::value));
    }

    /// Returns a sparkline.
    ///
    /// @param what the measure in words, such as "Requests a minute"
    SparkLine spark(String what, Function<Sample, @Nullable Number> measure, DoubleFunction<String> words) {
        var spots = isEmpty() ? List.<Spot>of() : spots(measure);
        return plot(spots).spark(spots, label(what, measure, words));
    }

    private String label(String what, Function<Sample, @Nullable Number> measure, DoubleFunction<String> words) {
        String began = what + " over " + words(span);
        return most(measure)
                .map(most -> {
                    double least = samples.stream()
                            .map(measure)
                            .filter(Objects::nonNull)
                            .mapToDouble(Number::doubleValue)
                            .min()
                            .orElse(0);
                    return began + ": between " + words.apply(least) + " and " + words.apply(most.value())
                            + ", the most at " + time(most.at());
                })
                .orElse(began + ": not measured");
    }

    /// The highest value and its time.
    record Most(double value, Instant at) {}

    Optional<Most> most(Function<Sample, @Nullable Number> measure) {
        return samples.stream()
                .filter(sample -> measure.apply(sample) != null)
                .map(sample ->
                        new Most(Objects.requireNonNull(measure.apply(sample)).doubleValue(), sample.at()))
                .max(Comparator.comparingDouble(Most::value));
    }

    /// Returns a time of the span, short.
    String time(Instant at) {
        var there = at.atZone(ReaderZone.get());
        return span == SampleSpan.MONTH ? DAY.format(there) : CLOCK.format(there);
    }

    private List<String> times() {
        var times = new ArrayList<String>();
        for (int i = 0; i < TIMES; i++) {
            times.add(time(now.minus(span.back().multipliedBy(TIMES - i).dividedBy(TIMES))));
        }
        times.add("now");
        return times;
    }

    Chart requests() {
        var spots = spots(Sample::requests);
        var plot = plot(spots);
        return new Chart(
                "Requests a minute",
                ", " + words(span),
                label("Requests a minute", Sample::requests, OperationCharts::count),
                plot.levels(OperationCharts::count),
                times(),
                List.of(new Chart.Curve(plot.line(spots), plot.area(spots), "", "")),
                List.of());
    }

    Chart errors() {
        var slots = slots(Sample::errors);
        var plot = Plot.of(slots.stream());
        return new Chart(
                "Errors a minute",
                ", " + words(span),
                label("Errors a minute", Sample::errors, OperationCharts::count),
                plot.levels(OperationCharts::count),
                times(),
                List.of(),
                plot.bars(slots));
    }

    Chart latency() {
        var slow = spots(Sample::p99Ms);
        var half = spots(Sample::medianMs);
        var plot = plot(slow);
        return new Chart(
                "Latency",
                ", " + words(span) + ", in ms",
                label("Time within which 99 of 100 requests ended", Sample::p99Ms, OperationCharts::milliseconds),
                plot.levels(OperationCharts::count),
                times(),
                List.of(
                        new Chart.Curve(plot.line(slow), plot.area(slow), "", "99 of 100 are faster"),
                        new Chart.Curve(plot.line(half), "", "ln-b", "half are faster")),
                List.of());
    }

    Chart disk(OperationsReport.Disk disk) {
        var spots = spots(Sample::diskUsed);
        var plot = Plot.exactly(disk.total());
        long used = disk.total() - disk.free();
        Long growth = disk.growthPerDay();
        String more = growth == null
                ? ""
                : growth >= 0
                        ? ", " + PageFormat.size(growth) + " more a day"
                        : ", " + PageFormat.size(-growth) + " less a day";
        return new Chart(
                PageFormat.size(used),
                " used of " + PageFormat.size(disk.total()) + more,
                label("Used bytes of the disk", Sample::diskUsed, value -> PageFormat.size(Math.round(value))) + "; of "
                        + PageFormat.size(disk.total()),
                plot.levels(value -> PageFormat.size(Math.round(value))),
                times(),
                List.of(
                        new Chart.Curve(plot.line(spots), plot.area(spots), "", "used"),
                        new Chart.Curve(
                                plot.level(disk.total() - disk.reserved()),
                                "",
                                "ln-m",
                                "content is refused above " + PageFormat.size(disk.total() - disk.reserved()))),
                List.of());
    }

    /// A row of the table with the drawn numbers.
    public record Row(String time, String requests, String errors, String half, String slow) {}

    /// Returns the numbers of the charts, in the slots of the bars; slots without a measurement are left out.
    List<Row> rows() {
        var requests = slots(Sample::requests);
        var errors = slots(Sample::errors);
        var half = slots(Sample::medianMs);
        var slow = slots(Sample::p99Ms);
        return IntStream.range(0, requests.size())
                .filter(i -> requests.get(i) != null)
                .mapToObj(i -> new Row(
                        time(now.minus(span.back()
                                .multipliedBy(requests.size() - 1L - i)
                                .dividedBy(requests.size()))),
                        text(requests.get(i), OperationCharts::count),
                        text(errors.get(i), OperationCharts::count),
                        text(half.get(i), OperationCharts::milliseconds),
                        text(slow.get(i), OperationCharts::milliseconds)))
                .toList();
    }

    private static String text(@Nullable Double value, DoubleFunction<String> words) {
        return value == null ? "not measured" : words.apply(value);
    }

    /// Returns the average of each slot of the axis; null where nothing was measured.
    private List<@Nullable Double> slots(Function<Sample, @Nullable Number> measure) {
        int count = switch (span) {
            case HOUR -> 12;
            case DAY -> 24;
            case MONTH -> 30;
        };
        double[] sums = new double[count];
        int[] measured = new int[count];
        for (var sample : samples) {
            var value = measure.apply(sample);
            if (value != null) {
                // the end of the sample's time belongs to the slot before it
                int slot = Math.clamp((long) Math.ceil(x(sample.at()) * count - 1e-9) - 1, 0, count - 1);
                sums[slot] += value.doubleValue();
                measured[slot]++;
            }
        }
        var slots = new ArrayList<@Nullable Double>();
        for (int i = 0; i < count; i++) {
            slots.add(measured[i] == 0 ? null : Double.valueOf(sums[i] / measured[i]));
        }
        return slots;
    }

    /// Returns a number of things, with one digit after the point if it is small.
    static String count(double value) {
        return value == 0 || value >= 10 || value == Math.rint(value)
                ? PageFormat.number(Math.round(value))
                : String.format(Locale.ENGLISH, value < 0.1 ? "%.2f" : "%.1f", value);
    }

    /// Returns a duration: in ms below 1 s, then in s.
    static String milliseconds(double value) {
        return value >= 1_000
                ? String.format(Locale.ENGLISH, "%.1f s", value / 1_000)
                : (value >= 10 || value == 0
                                ? PageFormat.number(Math.round(value))
                                : String.format(Locale.ENGLISH, "%.1f", value))
                        + " ms";
    }
}
