package dev.sheaf.server.bundle.pages;

import dev.sheaf.model.wire.bundle.DownloadCounts;
import dev.sheaf.server.console.PageFormat;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The number of pulls of a bundle or a version, drawn as a line with a point for each day.
///
/// @param own the part of `total` that the organization made itself; null if the viewer is not a member
/// @param month the pulls of the last 30 days
/// @param line the path of the line; empty if there is nothing to draw
/// @param area the path of the area below the line
/// @param end the height of the line's end
/// @param label describes the drawing in words
/// @param last the last day with a pull; empty if no drawn day has a pull
/// @param outsideSince when somebody outside the organization first pulled it
public record PullChart(
        long total,
        @Nullable Long own,
        long month,
        String line,
        String area,
        String end,
        String label,
        String last,
        @Nullable Instant outsideSince) {
    public static final int WIDTH = 280;
    public static final int HEIGHT = 44;

    /// The distance of the line's end from the left.
    public static final int RIGHT = WIDTH - 3;

    private static final int MONTH = 30; // days
    private static final int LEFT = 1;
    private static final double TOP = 4;
    private static final double FOOT = HEIGHT - 2;
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM uuuu", Locale.ENGLISH);

    public static PullChart of(DownloadCounts counts) {
        var from = LocalDate.parse(counts.from());
        int days = (int) ChronoUnit.DAYS.between(from, LocalDate.parse(counts.to())) + 1;
        long[] values = new long[days];
        for (var day : counts.days()) {
            values[(int) ChronoUnit.DAYS.between(from, LocalDate.parse(day.day()))] = day.downloads();
        }
        long most = Arrays.stream(values).max().orElse(0);
        String line = most == 0 ? "" : line(values, most);
        return new PullChart(
                counts.total(),
                counts.own(),
                Arrays.stream(values, Math.max(0, days - MONTH), days).sum(),
                line,
                line.isEmpty() ? "" : line + "L" + RIGHT + " " + HEIGHT + "L" + LEFT + " " + HEIGHT + "z",
                number(height(values[days - 1], Math.max(1, most))),
                label(values, most, from),
                most == 0
                        ? ""
                        : DAY.format(LocalDate.parse(counts.days().getLast().day())),
                counts.outsideSince());
    }

    private static String line(long[] values, long most) {
        var path = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            double x = LEFT + (double) (RIGHT - LEFT) * i / Math.max(1, values.length - 1);
            path.append(i == 0 ? 'M' : 'L').append(number(x)).append(' ').append(number(height(values[i], most)));
        }
        return path.toString();
    }

    private static double height(long value, long most) {
        return FOOT - (FOOT - TOP) * value / most;
    }

    private static String number(double value) {
        return String.format(Locale.ENGLISH, "%.1f", value);
    }

    private static String label(long[] values, long most, LocalDate from) {
        if (most == 0) {
            return "No pulls in the last " + values.length + " days";
        }
        int best = 0;
        while (values[best] < most) {
            best++;
        }
        return "Pulls a day in the last " + values.length + " days: "
                + PageFormat.number(Arrays.stream(values).sum()) + " in total, most of them on "
                + DAY.format(from.plusDays(best)) + ", " + PageFormat.number(most);
    }
}
