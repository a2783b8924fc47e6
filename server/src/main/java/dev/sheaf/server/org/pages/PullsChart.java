package dev.sheaf.server.org.pages;

import dev.sheaf.server.bundle.OwnBundles;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.chart.Chart;
import dev.sheaf.server.console.chart.Plot;
import dev.sheaf.server.console.chart.Plot.Spot;
import dev.sheaf.server.console.chart.SparkLine;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// The pulls of an organization's bundles in the last 30 days, beside those of the 30 days before.
///
/// @param sum the pulls of the last 30 days
/// @param before the pulls of the 30 days before
public record PullsChart(long sum, long before, Chart chart, SparkLine spark, List<Row> rows) {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM", Locale.ENGLISH);
    private static final int DAYS = 30;
    private static final int TIMES = 4; // parts of the horizontal axis

    public PullsChart {
        rows = List.copyOf(rows);
    }

    /// The pulls of a day.
    public record Row(String day, String pulls) {}

    static PullsChart of(OwnBundles.Pulls pulls) {
        long[] all = new long[2 * DAYS];
        for (PullCounts.Day day : pulls.days()) {
            all[(int) (day.day() - pulls.from())] = day.downloads();
        }
        long[] now = Arrays.copyOfRange(all, DAYS, all.length);
        long[] before = Arrays.copyOfRange(all, 0, DAYS);
        long sum = Arrays.stream(now).sum();
        var plot = Plot.upToCount(Arrays.stream(all).max().orElse(0));
        var line = spots(now);
        var chart = new Chart(
                PageFormat.count(sum, "pull", "pulls"),
                " in 30 days",
                label(now, pulls.to()),
                plot.levels(value -> PageFormat.number(Math.round(value))),
                times(pulls.to()),
                List.of(
                        new Chart.Curve(plot.line(line), plot.area(line), "", "30 days until today"),
                        new Chart.Curve(plot.line(spots(before)), "", "ln-b", "the 30 days before")),
                List.of());
        var rows = IntStream.range(0, DAYS)
                .mapToObj(i -> new Row(day(pulls.to() - DAYS + 1 + i), PageFormat.number(now[i])))
                .toList()
                .reversed();
        return new PullsChart(sum, Arrays.stream(before).sum(), chart, plot.spark(line, label(now, pulls.to())), rows);
    }

    private static List<Spot> spots(long[] values) {
        return IntStream.range(0, values.length)
                .mapToObj(i -> new Spot(i / (double) (values.length - 1), (double) values[i]))
                .toList();
    }

    private static String day(long day) {
        return DAY.format(LocalDate.ofEpochDay(day));
    }

    private static List<String> times(long today) {
        var times = new ArrayList<String>();
        for (int i = TIMES; i > 0; i--) {
            times.add(day(today - (long) (DAYS - 1) * i / TIMES));
        }
        times.add("today");
        return times;
    }

    private static String label(long[] values, long today) {
        int best = 0;
        for (int i = 0; i < values.length; i++) {
            best = values[i] > values[best] ? i : best;
        }
        return "Pulls a day in 30 days: "
                + PageFormat.number(Arrays.stream(values).sum()) + " in total, most of them on "
                + day(today - values.length + 1 + best) + ", " + PageFormat.number(values[best]);
    }

    /// Returns how the pulls changed against the 30 days before; empty if there were none.
    public String change() {
        if (before == 0) {
            return "";
        }
        long percent = Math.round((sum - before) * 100.0 / before);
        return percent == 0
                ? "as many as before"
                : PageFormat.number(Math.abs(percent)) + (percent > 0 ? " % more than before" : " % fewer than before");
    }
}
