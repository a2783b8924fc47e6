package dev.sheaf.client.agents;

import java.util.List;

/// The result of an installation.
///
/// @param changes the changes of each bundle; empty if nothing had to change
/// @param written the number of files written or removed
/// @param kept the paths of edited files, which were not touched
public record Report(List<Change> changes, int written, List<String> kept) {
    public Report {
        changes = List.copyOf(changes);
        kept = List.copyOf(kept);
    }
}
