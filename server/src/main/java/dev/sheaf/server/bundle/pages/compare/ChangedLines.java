package dev.sheaf.server.bundle.pages.compare;

import org.jspecify.annotations.Nullable;

/// How many lines of a file were added and removed.
public record ChangedLines(int added, int removed) {
    /// @param diff a unified diff; null if there is none
    public static ChangedLines of(@Nullable String diff) {
        if (diff == null) {
            return new ChangedLines(0, 0);
        }
        var count = UnifiedDiff.count(diff);
        return new ChangedLines(count.added(), count.removed());
    }
}
