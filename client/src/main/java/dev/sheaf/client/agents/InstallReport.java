package dev.sheaf.client.agents;

import java.util.List;

/// The result of an installation.
///
/// @param changes the changes of each bundle; empty if nothing had to change
/// @param written the number of files written or removed
/// @param removed how many of these were removed
/// @param kept the paths of edited files, which were not touched
/// @param places the folders and files of programs in which something was written, such as `.claude/skills`
/// @param yanked the versions that are installed now although they were withdrawn, as far as this is known
public record InstallReport(
        List<InstallChange> changes,
        int written,
        int removed,
        List<String> kept,
        List<String> places,
        List<YankedBundle> yanked) {
    public InstallReport {
        changes = List.copyOf(changes);
        kept = List.copyOf(kept);
        places = List.copyOf(places);
        yanked = List.copyOf(yanked);
    }
}
