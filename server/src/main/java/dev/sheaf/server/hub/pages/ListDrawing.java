package dev.sheaf.server.hub.pages;

import dev.sheaf.server.console.chart.StalkDrawing;
import java.util.ArrayList;

/// The drawing of a bundle in a list.
final class ListDrawing {
    private static final double HIGHEST = 25;

    private ListDrawing() {}

    /// @param stored two letters for each stalk: its kind and its height from `a` to `z`, see `Hub.Facts`
    static StalkDrawing of(String stored) {
        var stalks = new ArrayList<StalkDrawing.Stalk>();
        for (int i = 0; i + 1 < stored.length(); i += 2) {
            String kind = switch (stored.charAt(i)) {
                case 's' -> "skill";
                case 'a' -> "agent_spec";
                default -> "other";
            };
            stalks.add(new StalkDrawing.Stalk(kind, (stored.charAt(i + 1) - 'a') / HIGHEST));
        }
        return StalkDrawing.of(stalks);
    }
}
