package dev.sheaf.server.bundle.api;

import dev.sheaf.model.Problem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The error for binary content that was requested as text.
final class BinaryContent {
    private static final int MAX_BYTES = 1_000; // of the listed paths, to keep the error short

    private BinaryContent() {}

    /// @param what contains it
    /// @param assets paths, at least one
    /// @param ways how to get the content
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
        String detail = what + " has binary content, which cannot be returned as text; " + ways + ". Binary: "
                + String.join(", ", named) + (more > 0 ? " and " + more + " more" : "");
        return new Problem.BinaryAssets(List.copyOf(named), assets.size(), detail);
    }
}
