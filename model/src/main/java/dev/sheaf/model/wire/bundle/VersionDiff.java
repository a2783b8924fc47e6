package dev.sheaf.model.wire.bundle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The differences between two versions of a bundle (contract 3.6, `:diff`).
///
/// @param from null if a push that needs approval is compared with nothing
/// @param changes sorted by path, without unchanged assets
/// @param requires differences between what the versions require, by bundle; null if there are none
public record VersionDiff(
        String namespace,
        String slug,
        @Nullable Side from,
        Side to,
        int added,
        int removed,
        int changed,
        int renamed,
        int unchanged,
        List<Change> changes,
        @Nullable List<RequirementChange> requires) {
    /// One of the two versions.
    public record Side(String version, String ociDigest) {}

    /// The change of one asset.
    ///
    /// @param change `added`, `removed`, `changed` or `renamed`
    /// @param logicalPath the asset's path in `to`, or in `from` if it was removed
    /// @param similarity only for a renamed asset: 100 for the same content, else the percentage of common
    /// lines
    /// @param diff a unified diff with three lines of context; null if it is omitted or does not apply
    /// @param diffOmitted the reason for omitting the diff: `binary` or `too-large`
    public record Change(
            String change,
            String logicalPath,
            @Nullable Layer before,
            @Nullable Layer after,
            @Nullable Integer similarity,
            @Nullable String diff,
            @Nullable String diffOmitted) {}
}
