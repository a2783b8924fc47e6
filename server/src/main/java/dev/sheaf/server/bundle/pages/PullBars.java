package dev.sheaf.server.bundle.pages;

import dev.sheaf.model.wire.bundle.DownloadCounts;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.chart.Chart;
import dev.sheaf.server.console.chart.Plot;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The pulls of a bundle or a version in the last 30 days, drawn as a bar for each day. The last bar is
/// today's, which is not over yet.
///
/// @param total the pulls on all days
/// @param own the part of `total` that the organization made itself; null if the viewer is not a member
/// @param month the pulls of the last 30 days
/// @param chart the drawing; its only line marks a day
/// @param weeks the same as a table
/// @param last the last day with a pull; empty if no drawn day has a pull
/// @param outsideSince when somebody outside the organization first pulled it
public record PullBars(
        long total,
        @Nullable Long own,
        long month,
        Chart chart,
        List<Week> weeks,
        String last,
        @Nullable Instant outsideSince) {
    private static final int DAYS = 30;
    private static final int WEEK = 7;
    private static final String BEFORE = " in the 30 days before";
    private static final int ALL = 100; // percent
    private static final int MOST_CHANGE = 1_000; // percent
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM", Locale.ENGLISH);
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("d MMM uuuu", Locale.ENGLISH);
    private static final int[] LABELLED = {0, 7, 14, 22, 29}; // days, the last is today

    public PullBars {
        weeks = List.copyOf(weeks);
    }

    /// @param from its first day
    public record Week(String from, long pulls) {}

    /// @param marked the time of what happened on the marked day; null if there is nothing to mark
    public static PullBars of(DownloadCounts counts, @Nullable Instant marked) {
        var from = LocalDate.parse(counts.from());
        int known = (int) ChronoUnit.DAYS.between(from, LocalDate.parse(counts.to())) + 1;
        long[] all = new long[Math.max(known, DAYS)];
        for (var day : counts.days()) {
            all[all.length - known + (int) ChronoUnit.DAYS.between(from, LocalDate.parse(day.day()))] = day.downloads();
        }
        long[] values = Arrays.copyOfRange(all, all.length - DAYS, all.length);
        var first = LocalDate.parse(counts.to()).minusDays(DAYS - 1);
        long month = Arrays.stream(values).sum();
        long before = all.length < 2 * DAYS
                ? 0
                : Arrays.stream(all, all.length - 2 * DAYS, all.length - DAYS).sum();
        long most = Arrays.stream(values).max().orElse(0);
        var plot = Plot.upToCount(most);
        String caption = " in 30 days" + change(month, before) + "; " + PageFormat.number(counts.total()) + " in total"
                + (counts.own() == null
                        ? ""
                        : ", " + PageFormat.number(counts.own()) + " of them by its own organization");
        return new PullBars(
                counts.total(),
                counts.own(),
                month,
                new Chart(
                        PageFormat.count(month, "pull", "pulls"),
                        caption,
                        label(values, most, first),
                        plot.levels(value -> PageFormat.number(Math.round(value))),
                        Arrays.stream(LABELLED)
                                .mapToObj(day -> DAY.format(first.plusDays(day)))
                                .toList(),
                        mark(first, marked),
                        plot.bars(Arrays.stream(values)
                                .<@Nullable Double>mapToObj(Double::valueOf)
                                .toList())),
                weeks(values, first),
                counts.days().isEmpty()
                        ? ""
                        : DATE.format(LocalDate.parse(counts.days().getLast().day())),
                counts.outsideSince());
    }

    private static String change(long month, long before) {
        if (before == 0) {
            return "";
        }
        long percent = Math.round((double) ALL * (month - before) / before);
        if (percent == 0 || percent > MOST_CHANGE) {
            return (percent == 0 ? ", as many as" : ", many more than") + BEFORE;
        }
        return ", " + PageFormat.number(Math.abs(percent)) + (percent > 0 ? " % more than" : " % fewer than") + BEFORE;
    }

    private static List<Chart.Curve> mark(LocalDate first, @Nullable Instant marked) {
        long day = marked == null
                ? -1
                : ChronoUnit.DAYS.between(first, marked.atZone(ZoneOffset.UTC).toLocalDate());
        return day < 0 || day >= DAYS
                ? List.of()
                : List.of(new Chart.Curve(Plot.moment((double) day / DAYS), "", "ln-m", ""));
    }

    private static String label(long[] values, long most, LocalDate first) {
        if (most == 0) {
            return "No pulls in the last 30 days";
        }
        int best = 0;
        while (values[best] < most) {
            best++;
        }
        return "Pulls a day from " + DATE.format(first) + " to "
                + DATE.format(first.plusDays(values.length - 1L)) + ": from "
                + PageFormat.number(Arrays.stream(values).min().orElse(0)) + " to " + PageFormat.number(most)
                + ", most of them on " + DATE.format(first.plusDays(best));
    }

    private static List<Week> weeks(long[] values, LocalDate first) {
        var weeks = new ArrayList<Week>();
        for (int i = 0; i < values.length; i += WEEK) {
            int end = Math.min(values.length, i + WEEK);
            weeks.add(new Week(
                    DATE.format(first.plusDays(i)),
                    Arrays.stream(values, i, end).sum()));
        }
        return weeks;
    }
}
