package dev.sheaf.server.hub.pages;

import dev.sheaf.server.console.chart.Stalks;
import java.util.ArrayList;

/// The drawing of a bundle in a list.
final class ListDrawing {
    private static final double HIGHEST = 25;

    private ListDrawing() {}

    /// @param stored two letters for each stalk: its kind and its height from `a` to `z`, see `Hub.Facts`
    static Stalks of(String stored) {
        var stalks = new ArrayList<Stalks.Stalk>();
        for (int i = 0; i + 1 < stored.length(); i += 2) {
            String kind = switch (stored.charAt(i)) {
                case 's' -> "skill";
                case 'a' -> "agent_spec";
                default -> "other";
            };
            stalks.add(new Stalks.Stalk(kind, (stored.charAt(i + 1) - 'a') / HIGHEST));
        }
        return Stalks.of(stalks);
    }
}
