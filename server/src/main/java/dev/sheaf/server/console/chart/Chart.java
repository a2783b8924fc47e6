package dev.sheaf.server.console.chart;

import java.util.List;
import java.util.stream.IntStream;

/// A chart as a page shows it: a drawing without text, and its axes as text beside it.
///
/// @param number the number that matters most, at the beginning of the caption
/// @param caption the rest of the caption
/// @param label tells the course in a sentence, for those who do not see the drawing
/// @param levels the labels of the vertical axis, the highest first
/// @param times the labels of the horizontal axis
public record Chart(
        String number,
        String caption,
        String label,
        List<String> levels,
        List<String> times,
        List<Curve> curves,
        List<Bar> bars) {
    public Chart {
        levels = List.copyOf(levels);
        times = List.copyOf(times);
        curves = List.copyOf(curves);
        bars = List.copyOf(bars);
    }

    /// A line.
    ///
    /// @param line the path of the line
    /// @param area the path of the area below it; empty if there is none
    /// @param style `ln-b` for a second line, `ln-m` for a limit, empty for the first line
    /// @param meaning what the line is, for the legend; empty if there is no legend
    public record Curve(String line, String area, String style, String meaning) {}

    /// A bar.
    ///
    /// @param isNow whether its time is not over
    public record Bar(String x, String y, String width, String height, boolean isNow) {}

    /// Returns the heights of the horizontal lines, one for each label of the vertical axis.
    public List<String> grid() {
        double steps = Math.max(1.0, levels.size() - 1);
        return IntStream.range(0, levels.size())
                .mapToObj(step -> Plot.number(Plot.HEIGHT * step / steps))
                .toList();
    }

    /// Returns whether the lines need a legend.
    public boolean hasLegend() {
        return curves.stream().anyMatch(curve -> !curve.meaning().isEmpty());
    }
}
