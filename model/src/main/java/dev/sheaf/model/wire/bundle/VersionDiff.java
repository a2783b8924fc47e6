package dev.sheaf.model.wire.bundle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What changed between two versions of a bundle (contract 3.6, `:diff`).
///
/// @param changes sorted by path; unchanged assets are only counted
public record VersionDiff(
        String namespace,
        String slug,
        Side from,
        Side to,
        int added,
        int removed,
        int changed,
        int renamed,
        int unchanged,
        List<Change> changes) {
    public record Side(String version, String ociDigest) {}

    /// One asset.
    ///
    /// @param change `added`, `removed`, `changed` or `renamed`
    /// @param logicalPath where it is in `to`, or was in `from` if it is gone
    /// @param similarity of a renamed one: 100 for the same content, else the percentage of lines in common
    /// @param diff unified, with three lines of context; null where there is none or it is omitted
    /// @param diffOmitted why: `binary` or `too-large`
    public record Change(
            String change,
            String logicalPath,
            @Nullable Layer before,
            @Nullable Layer after,
            @Nullable Integer similarity,
            @Nullable String diff,
            @Nullable String diffOmitted) {}
}
