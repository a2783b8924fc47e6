package dev.sheaf.server.hub;

import dev.sheaf.server.bundle.StoredAsset;
import java.util.List;

/// What an entry of the hub stores for the drawing of a bundle: two letters for each stalk, the kind of its files
/// (`s`kill, `a`gent or `o`ther) and the logarithm of their size, from `a` on.
final class HubStalks {
    private static final int MOST = 12;
    private static final int HIGHEST = 25;

    private HubStalks() {}

    /// If there are too many files, neighbours share a stalk.
    ///
    /// @param assets in the order of their paths
    static String of(List<StoredAsset> assets) {
        var stalks = new StringBuilder();
        int count = Math.min(MOST, assets.size());
        for (int i = 0; i < count; i++) {
            var part = assets.subList(assets.size() * i / count, assets.size() * (i + 1) / count);
            long size = part.stream().mapToLong(StoredAsset::size).sum();
            int height = Math.min(HIGHEST, Long.SIZE - Long.numberOfLeadingZeros(size));
            stalks.append(kind(part.getFirst())).append((char) ('a' + height));
        }
        return stalks.toString();
    }

    private static char kind(StoredAsset asset) {
        return switch (asset.assetType()) {
            case SKILL -> 's';
            case AGENT_SPEC -> 'a';
            case TOOLSET, PROMPT, CONFIG, PLUGIN, MCP, OTHER -> 'o';
        };
    }
}
