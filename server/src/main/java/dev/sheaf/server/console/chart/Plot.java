package dev.sheaf.server.console.chart;

import java.util.List;
import java.util.Objects;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Draws values over time. The vertical axis begins at 0 and ends at a round number. What is missing is
/// left out, never drawn as 0.
public final class Plot {
    static final double WIDTH = 600;
    static final double HEIGHT = 100;
    private static final double[] ROUND = {1, 2, 4, 5, 10};
    private static final double[] EVEN = {2, 4, 10}; // below 10, so that the label of the middle is whole too
    private static final double OF_SLOT = 0.72;
    private static final double SMALL_WIDTH = 120;
    private static final double SMALL_HEIGHT = 32;
    private static final double SMALL_TOP = 3;
    private static final double SMALL_FOOT = 30;

    private final double top;

    private Plot(double top) {
        this.top = top;
    }

    /// A value.
    ///
    /// @param x its time, from 0 at the beginning of the axis to 1 at its end
    /// @param value null if it is missing
    public record Spot(double x, @Nullable Double value) {}

    /// Returns a drawing with room for these values.
    public static Plot of(Stream<@Nullable Double> values) {
        return upTo(values.filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0));
    }

    /// Returns a drawing whose axis ends at a round number that is not less than `most`.
    public static Plot upTo(double most) {
        return most <= 0 ? new Plot(1) : upTo(most, ROUND);
    }

    /// Returns a drawing of counts, whose labels are whole numbers.
    public static Plot upToCount(long most) {
        return most < 10 ? upTo(Math.max(1, most), EVEN) : upTo(most, ROUND);
    }

    private static Plot upTo(double most, double[] rounds) {
        double power = Math.pow(10, Math.floor(Math.log10(most)));
        for (double round : rounds) {
            if (round * power >= most) {
                return new Plot(round * power);
            }
        }
        return new Plot(rounds[rounds.length - 1] * power);
    }

    /// Returns a drawing whose axis ends exactly at `end`.
    public static Plot exactly(double end) {
        return new Plot(end <= 0 ? 1 : end);
    }

    /// Returns the labels of the vertical axis: its end, the middle, and 0.
    public List<String> levels(DoubleFunction<String> words) {
        return List.of(words.apply(top), words.apply(top / 2), "0");
    }

    /// Returns the path of a line through the values, with a gap where one is missing.
    public String line(List<Spot> spots) {
        return line(spots, WIDTH, 0, HEIGHT);
    }

    private String line(List<Spot> spots, double width, double ceiling, double foot) {
        var path = new StringBuilder(spots.size() * 12);
        boolean isDown = false;
        for (var spot : spots) {
            var value = spot.value();
            if (value != null) {
                path.append(isDown ? 'L' : 'M');
                append(path, spot.x() * width);
                append(path.append(' '), height(value, ceiling, foot));
            }
            isDown = value != null;
        }
        return path.toString();
    }

    /// Returns the path of the area below the line; empty if there are gaps or no values.
    public String area(List<Spot> spots) {
        return area(spots, line(spots), WIDTH, HEIGHT);
    }

    private static String area(List<Spot> spots, String line, double width, double height) {
        if (spots.isEmpty() || line.lastIndexOf('M') != 0) {
            return "";
        }
        var drawn = spots.stream().filter(spot -> spot.value() != null).toList();
        return line + "L" + number(drawn.getLast().x() * width) + " " + number(height) + "L"
                + number(drawn.getFirst().x() * width) + " " + number(height) + "z";
    }

    /// Returns the path of an upright line at a time, from 0 at the beginning of the axis to 1 at its end.
    public static String moment(double x) {
        return "M" + number(x * WIDTH) + " 0V" + number(HEIGHT);
    }

    /// Returns the path of a level line, such as a limit.
    public String level(double value) {
        return "M0 " + number(height(value, 0, HEIGHT)) + "H" + number(WIDTH);
    }

    /// Returns a bar for each value that is there; the last slot is the time that is not over.
    ///
    /// @param values one for each slot of the axis, null if it is missing
    public List<Chart.Bar> bars(List<@Nullable Double> values) {
        double slot = WIDTH / Math.max(1, values.size());
        return IntStream.range(0, values.size())
                .mapToObj(i -> bar(values.get(i), i, slot, i == values.size() - 1))
                .filter(Objects::nonNull)
                .toList();
    }

    private Chart.@Nullable Bar bar(@Nullable Double value, int index, double slot, boolean isNow) {
        if (value == null || value <= 0) {
            return null;
        }
        double y = height(value, 0, HEIGHT);
        return new Chart.Bar(
                number(index * slot + slot * (1 - OF_SLOT) / 2),
                number(y),
                number(slot * OF_SLOT),
                number(HEIGHT - y),
                isNow);
    }

    /// Returns a sparkline of the values, which stands beside its number.
    public SparkLine spark(List<Spot> spots, String label) {
        String line = line(spots, SMALL_WIDTH, SMALL_TOP, SMALL_FOOT);
        return new SparkLine(line, area(spots, line, SMALL_WIDTH, SMALL_HEIGHT), label);
    }

    private double height(double value, double ceiling, double foot) {
        return foot - (foot - ceiling) * Math.clamp(value / top, 0, 1);
    }

    /// Returns a number with one digit after the point.
    static String number(double value) {
        var text = new StringBuilder();
        append(text, value);
        return text.toString();
    }

    private static void append(StringBuilder text, double value) {
        long tenths = Math.round(value * 10);
        text.append(tenths / 10);
        if (tenths % 10 != 0) {
            text.append('.').append(tenths % 10);
        }
    }
}
