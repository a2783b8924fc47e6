package dev.sheaf.client.agents;

import java.util.List;

/// What was done.
///
/// @param changes of bundles, by name; none where all was as it should be
/// @param written how many files were written or removed
/// @param kept paths of files that somebody changed here, which stay as they are
public record Report(List<Change> changes, int written, List<String> kept) {
    public Report {
        changes = List.copyOf(changes);
        kept = List.copyOf(kept);
    }
}
