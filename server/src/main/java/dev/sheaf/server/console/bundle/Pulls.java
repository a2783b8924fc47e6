package dev.sheaf.server.console.bundle;

import dev.sheaf.model.wire.bundle.DownloadCounts;
import dev.sheaf.server.console.Show;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How often a bundle or a version was pulled, drawn as a line with a point for each day.
///
/// @param own how many of `total` were the organization's; null: the viewer is not of it
/// @param month those of the last 30 days
/// @param line the path of the line; empty: there is nothing to draw
/// @param area the path of what is below it
/// @param end how high the line ends
/// @param label what it shows, in words
/// @param last the last day with a pull; empty: there is no such day among those that are drawn
/// @param outsideSince when somebody outside of the organization first pulled it
public record Pulls(
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

    /// Where the line ends, from the left.
    public static final int RIGHT = WIDTH - 3;

    private static final int MONTH = 30; // days
    private static final int LEFT = 1;
    private static final double TOP = 4;
    private static final double FOOT = HEIGHT - 2;
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM uuuu", Locale.ENGLISH);

    public static Pulls of(DownloadCounts counts) {
        var from = LocalDate.parse(counts.from());
        int days = (int) ChronoUnit.DAYS.between(from, LocalDate.parse(counts.to())) + 1;
        long[] values = new long[days];
        for (var day : counts.days()) {
            values[(int) ChronoUnit.DAYS.between(from, LocalDate.parse(day.day()))] = day.downloads();
        }
        long most = Arrays.stream(values).max().orElse(0);
        String line = most == 0 ? "" : line(values, most);
        return new Pulls(
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
                + Show.number(Arrays.stream(values).sum()) + " in all, most of them on "
                + DAY.format(from.plusDays(best)) + ", " + Show.number(most);
    }
}
