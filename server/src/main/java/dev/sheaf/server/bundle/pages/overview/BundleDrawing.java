package dev.sheaf.server.bundle.pages.overview;

import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.chart.StalkDrawing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// The drawing of a bundle, and what it shows. The height of a stalk is the logarithm of the file's size.
///
/// @param kinds the number of files of each kind
public record BundleDrawing(StalkDrawing stalks, Map<String, Integer> kinds, int files) {
    private static final int MOST = 60;

    static BundleDrawing of(List<Layer> files) {
        var parts = parts(files);
        double highest = Math.max(
                1, parts.stream().mapToDouble(BundleDrawing::height).max().orElse(1));
        var stalks = parts.stream()
                .map(part -> new StalkDrawing.Stalk(kind(part.getFirst()), height(part) / highest))
                .toList();
        var kinds = new TreeMap<String, Integer>();
        files.forEach(file -> kinds.merge(kind(file), 1, Integer::sum));
        return new BundleDrawing(StalkDrawing.of(stalks), kinds, files.size());
    }

    /// Returns the files by stalk. If there are too many, neighbours share one.
    private static List<List<Layer>> parts(List<Layer> files) {
        int count = Math.min(MOST, files.size());
        return IntStream.range(0, count)
                .mapToObj(i -> files.subList(
                        (int) ((long) files.size() * i / count), (int) ((long) files.size() * (i + 1) / count)))
                .toList();
    }

    private static double height(List<Layer> part) {
        return Math.log1p(part.stream().mapToLong(Layer::sizeBytes).sum());
    }

    private static String kind(Layer file) {
        return switch (file.assetType()) {
            case "skill", "agent_spec", "prompt", "toolset", "config", "plugin", "mcp" -> file.assetType();
            default -> "other";
        };
    }

    /// Describes the drawing in words.
    public String label() {
        var parts = new ArrayList<String>();
        kinds.forEach((kind, count) -> parts.add(count + " " + kind));
        return PageFormat.count(files, "file", "files") + ": " + String.join(", ", parts);
    }
}
