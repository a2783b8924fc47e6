package dev.sheaf.server.console.chart;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The drawing of a bundle: a stalk for each file, in the order of the paths, and a band around all stalks.
///
/// @param paths the paths of the stalks by kind of file
/// @param band the path of the band
public record StalkDrawing(int width, Map<String, String> paths, String band) {
    public static final int HEIGHT = 72;

    private static final double PITCH = 9;
    private static final double MARGIN = 20.5;
    private static final double BAND = 51.8;
    private static final double FOOT = 70.5;
    private static final double LEAST = 10;
    private static final double HIGHEST = 50.3;
    private static final double LEAN = 0.345;
    private static final double FOOT_LEAN = 6.9;

    /// A stalk.
    ///
    /// @param height a share of the highest stalk, from 0 to 1
    public record Stalk(String kind, double height) {}

    public static StalkDrawing of(List<Stalk> stalks) {
        double middle = Math.max(0.5, (stalks.size() - 1) / 2.0);
        var drawn = new LinkedHashMap<String, StringBuilder>();
        for (int i = 0; i < stalks.size(); i++) {
            var stalk = stalks.get(i);
            double side = stalks.size() == 1 ? 0 : i / middle - 1;
            double height = LEAST + (HIGHEST - LEAST) * stalk.height();
            drawn.computeIfAbsent(stalk.kind(), kind -> new StringBuilder())
                    .append(path(MARGIN + PITCH * i, side, height));
        }
        var paths = new LinkedHashMap<String, String>();
        drawn.forEach((kind, path) -> paths.put(kind, path.toString()));
        int width = (int) Math.ceil(2 * MARGIN + PITCH * Math.max(0, stalks.size() - 1));
        return new StalkDrawing(width, paths, "M" + number(MARGIN - 1) + " " + BAND + "H" + number(width - MARGIN + 1));
    }

    /// @param side from -1 (leftmost) to 1 (rightmost); the stalks lean outwards
    private static String path(double x, double side, double height) {
        double top = BAND - height;
        return "M" + number(x + side * LEAN * height) + " " + number(top) + "Q" + number(x) + " "
                + number((top + BAND) / 2) + " " + number(x) + " " + BAND + "L" + number(x + side * FOOT_LEAN) + " "
                + FOOT;
    }

    private static String number(double value) {
        return String.format(Locale.ENGLISH, "%.1f", value);
    }
}
