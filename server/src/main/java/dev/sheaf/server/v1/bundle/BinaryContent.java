package dev.sheaf.server.v1.bundle;

import dev.sheaf.model.Problem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Says that content is no text, which it was to be answered as.
final class BinaryContent {
    private static final int MAX_BYTES = 1_000; // of the paths that are named: an error stays short

    private BinaryContent() {}

    /// @param what has the content
    /// @param assets paths, at least one
    /// @param ways in which the content can be had
    static Problem of(String what, List<String> assets, String ways) {
        var named = new ArrayList<String>();
        int bytes = 0;
        for (String asset : assets) {
            bytes += asset.getBytes(StandardCharsets.UTF_8).length;
            if (bytes <= MAX_BYTES) {
                named.add(asset);
            }
        }
        int more = assets.size() - named.size();
        String detail = what + " has binary content, which is no text; " + ways + ". Binary: "
                + String.join(", ", named) + (more > 0 ? " and " + more + " more" : "");
        return new Problem.BinaryAssets(List.copyOf(named), assets.size(), detail);
    }
}
