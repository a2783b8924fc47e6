package dev.sheaf.server.bundle.pages;

import dev.sheaf.model.wire.bundle.DownloadCounts;
import dev.sheaf.server.console.PageFormat;
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
/// @param change compares them with the 30 days before, such as `41 % more than`; empty if that says nothing
/// @param bars the bars of the days, in order; empty if there was no pull
/// @param heights the labels of the axis, from the top
/// @param lines the heights of its lines
/// @param days the labels of some days
/// @param marked where the marked day begins, from the left; empty if it is not one of the drawn days
/// @param label describes the drawing in words
/// @param weeks the same as a table
/// @param last the last day with a pull; empty if no drawn day has a pull
/// @param outsideSince when somebody outside the organization first pulled it
public record PullBars(
        long total,
        @Nullable Long own,
        long month,
        String change,
        List<Bar> bars,
        List<String> heights,
        List<String> lines,
        List<String> days,
        String marked,
        String label,
        List<Week> weeks,
        String last,
        @Nullable Instant outsideSince) {
    public static final int WIDTH = 600;
    public static final int HEIGHT = 100;

    private static final int DAYS = 30;
    private static final int WEEK = 7;
    private static final double PITCH = (double) WIDTH / DAYS;
    private static final double BAR = 0.72; // of the pitch
    private static final int ALL = 100; // percent
    private static final int MOST_CHANGE = 1_000; // percent
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM", Locale.ENGLISH);
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("d MMM uuuu", Locale.ENGLISH);
    private static final int[] LABELLED = {0, 7, 14, 22, 29}; // days, the last is today

    public PullBars {
        bars = List.copyOf(bars);
        heights = List.copyOf(heights);
        lines = List.copyOf(lines);
        days = List.copyOf(days);
        weeks = List.copyOf(weeks);
    }

    /// @param x, y, height its place, as in the drawing
    public record Bar(String x, String y, String height) {}

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
        long step = step(most);
        int steps = (int) Math.max(1, Math.ceilDiv(most, step));
        return new PullBars(
                counts.total(),
                counts.own(),
                month,
                change(month, before),
                most == 0 ? List.of() : bars(values, step * steps),
                heights(step, steps),
                lines(steps),
                Arrays.stream(LABELLED)
                        .mapToObj(day -> DAY.format(first.plusDays(day)))
                        .toList(),
                marked == null ? "" : mark(first, marked),
                label(values, most, first),
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
            return percent == 0 ? "as many as" : "many more than";
        }
        return PageFormat.number(Math.abs(percent)) + (percent > 0 ? " % more than" : " % fewer than");
    }

    /// Returns the distance of the axis' lines: 1, 2 or 5 times a power of ten, so that there are at most
    /// three.
    private static long step(long most) {
        long power = 1;
        while (true) {
            for (long factor : new long[] {1, 2, 5}) {
                if (3 * factor * power >= most) {
                    return factor * power;
                }
            }
            power *= 10;
        }
    }

    private static List<Bar> bars(long[] values, long top) {
        var bars = new ArrayList<Bar>();
        for (int i = 0; i < values.length; i++) {
            double height = (double) HEIGHT * values[i] / top;
            bars.add(new Bar(number(PITCH * (i + (1 - BAR) / 2)), number(HEIGHT - height), number(height)));
        }
        return bars;
    }

    /// Returns the width of a bar.
    public static String width() {
        return number(PITCH * BAR);
    }

    private static List<String> heights(long step, int steps) {
        var labels = new ArrayList<String>();
        for (int i = steps; i >= 0; i--) {
            labels.add(PageFormat.number(step * i));
        }
        return labels;
    }

    private static List<String> lines(int steps) {
        var lines = new ArrayList<String>();
        for (int i = 0; i < steps; i++) {
            lines.add(number((double) HEIGHT * i / steps));
        }
        return lines;
    }

    private static String mark(LocalDate first, Instant marked) {
        long day = ChronoUnit.DAYS.between(first, marked.atZone(ZoneOffset.UTC).toLocalDate());
        return day < 0 || day >= DAYS ? "" : number(PITCH * day);
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

    private static String number(double value) {
        return String.format(Locale.ENGLISH, "%.1f", value);
    }
}
