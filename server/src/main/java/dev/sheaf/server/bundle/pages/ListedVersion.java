package dev.sheaf.server.bundle.pages;

import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.console.PageFormat;
import java.util.List;

/// A version in the list of a bundle's versions.
///
/// @param size the size of its files, in bytes
/// @param message its publisher's message, or the beginning and an ellipsis; empty if there is none
/// @param pulls the pulls of the last 30 days
/// @param isSigned whether the registry has a signature, which it does not verify
public record ListedVersion(
        VersionSummary summary, long size, String message, VersionRisk risk, long pulls, boolean isSigned) {
    /// A part of the list.
    ///
    /// @param hasHigher whether there are versions above
    /// @param hasLower whether there are versions below
    public record Part(List<ListedVersion> versions, boolean hasHigher, boolean hasLower) {
        public Part {
            versions = List.copyOf(versions);
        }

        /// Returns the most pulls of a version.
        public long mostPulls() {
            return versions.stream().mapToLong(ListedVersion::pulls).max().orElse(0);
        }
    }

    public String number() {
        return summary.version();
    }

    public boolean isYanked() {
        return summary.yankedAt() != null;
    }

    public boolean isRecalled() {
        return summary.recall() != null;
    }

    public boolean isDeprecated() {
        return summary.deprecation() != null;
    }

    /// Returns what its reader should know of it: why it is recalled, yanked or deprecated, or else what is new.
    public String text() {
        var deprecation = summary.deprecation();
        var recall = summary.recall();
        if (recall != null) {
            return why("Recalled", recall.reason());
        }
        if (isYanked()) {
            return why("Yanked", PageFormat.text(summary.yankReason()));
        }
        return deprecation != null ? why("Deprecated", deprecation.message()) : PageFormat.visible(message);
    }

    private static String why(String state, String reason) {
        return reason.isEmpty() ? state : state + ": " + PageFormat.visible(reason);
    }

    /// Returns the width of its bar in percent of the longest.
    public long share(long most) {
        return most == 0 ? 0 : Math.ceilDiv(pulls * 100, most);
    }
}
