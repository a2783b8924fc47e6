package dev.sheaf.server.bundle.pages.overview;

import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.server.console.PageFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// The drawing of a bundle: a stalk for each file, in the order of the paths, with the logarithm of the file's
/// size as its height, and a band around all stalks.
///
/// @param paths the paths of the stalks by kind of file
/// @param band the path of the band
/// @param kinds the number of files of each kind
public record BundleDrawing(int width, Map<String, String> paths, String band, Map<String, Integer> kinds, int files) {
    public static final int HEIGHT = 72;

    private static final int MOST = 60;
    private static final double PITCH = 9;
    private static final double MARGIN = 20.5;
    private static final double BAND = 51.8;
    private static final double FOOT = 70.5;
    private static final double LEAST = 10;
    private static final double HIGHEST = 50.3;
    private static final double LEAN = 0.345;
    private static final double FOOT_LEAN = 6.9;

    private record Stalk(String kind, long size) {}

    static BundleDrawing of(List<Layer> files) {
        var stalks = stalks(files);
        double highest = Math.log1p(stalks.stream().mapToLong(Stalk::size).max().orElse(1));
        double middle = Math.max(0.5, (stalks.size() - 1) / 2.0);
        var drawn = new LinkedHashMap<String, StringBuilder>();
        for (int i = 0; i < stalks.size(); i++) {
            var stalk = stalks.get(i);
            double side = stalks.size() == 1 ? 0 : i / middle - 1;
            double height = LEAST + (HIGHEST - LEAST) * Math.log1p(stalk.size()) / Math.max(highest, 1);
            drawn.computeIfAbsent(stalk.kind(), kind -> new StringBuilder())
                    .append(path(MARGIN + PITCH * i, side, height));
        }
        var paths = new LinkedHashMap<String, String>();
        drawn.forEach((kind, path) -> paths.put(kind, path.toString()));
        int width = (int) Math.ceil(2 * MARGIN + PITCH * Math.max(0, stalks.size() - 1));
        String band = "M" + number(MARGIN - 1) + " " + BAND + "H" + number(width - MARGIN + 1);
        var kinds = new TreeMap<String, Integer>();
        files.forEach(file -> kinds.merge(kind(file), 1, Integer::sum));
        return new BundleDrawing(width, paths, band, kinds, files.size());
    }

    /// Returns the stalks. If there are too many files, neighbours share a stalk.
    private static List<Stalk> stalks(List<Layer> files) {
        int count = Math.min(MOST, files.size());
        var stalks = new ArrayList<Stalk>();
        for (int i = 0; i < count; i++) {
            var part = files.subList(
                    (int) ((long) files.size() * i / count), (int) ((long) files.size() * (i + 1) / count));
            stalks.add(new Stalk(
                    kind(part.getFirst()),
                    part.stream().mapToLong(Layer::sizeBytes).sum()));
        }
        return stalks;
    }

    private static String kind(Layer file) {
        return switch (file.assetType()) {
            case "skill", "agent_spec", "prompt", "toolset", "config", "plugin", "mcp" -> file.assetType();
            default -> "other";
        };
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

    /// Describes the drawing in words.
    public String label() {
        var parts = new ArrayList<String>();
        kinds.forEach((kind, count) -> parts.add(count + " " + kind));
        return PageFormat.count(files, "file", "files") + ": " + String.join(", ", parts);
    }
}
