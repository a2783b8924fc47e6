package dev.sheaf.client.agents;

import dev.sheaf.model.RecallSeverity;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An installed version that its publisher has withdrawn. A yanked one still resolves by its number, so it
/// stays installed and is installed where a lock pins it. A recalled one turned out bad: the registry no
/// longer hands it out, and it should be removed.
///
/// @param reason the publisher's words, untrusted; may be empty
/// @param replacement what to use instead, untrusted; null if nothing is named
/// @param severity how bad it is; null if the version is yanked and not recalled
/// @param advisory an address with more about a recall, untrusted; null if there is none
/// @param places where a recalled version is installed, relative to the project or the home; empty for others
public record YankedBundle(
        RepositoryName bundle,
        Version version,
        String reason,
        @Nullable String replacement,
        @Nullable RecallSeverity severity,
        @Nullable String advisory,
        List<String> places) {
    public YankedBundle {
        places = List.copyOf(places);
    }

    /// Creates a version that is yanked and not recalled.
    public YankedBundle(RepositoryName bundle, Version version, String reason, @Nullable String replacement) {
        this(bundle, version, reason, replacement, null, null, List.of());
    }

    /// Returns whether the version turned out bad and should be removed.
    public boolean isRecalled() {
        return severity != null;
    }

    /// Returns a sentence without a full stop.
    @Override
    public String toString() {
        String sentence =
                bundle + ":" + version + " was " + (severity == null ? "yanked" : "recalled (" + severity + ")")
                        + (reason.isBlank() ? "" : ": " + reason.strip().replaceFirst("[.;,\\s]+$", ""));
        return sentence
                + (replacement == null ? "" : "; use " + replacement)
                + (advisory == null ? "" : "; more: " + advisory)
                + (places.isEmpty() ? "" : "; it is in " + String.join(", ", places));
    }
}
