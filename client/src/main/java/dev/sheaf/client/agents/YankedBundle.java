package dev.sheaf.client.agents;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import org.jspecify.annotations.Nullable;

/// An installed version that its publisher has withdrawn. It still resolves by its number, so it stays installed and
/// is installed where a lock pins it.
///
/// @param reason the publisher's words, untrusted; may be empty
/// @param replacement what to use instead, untrusted; null if nothing is named
public record YankedBundle(
        RepositoryName bundle,
        Version version,
        String reason,
        @Nullable String replacement) {
    /// Returns a sentence without a full stop.
    @Override
    public String toString() {
        String sentence = bundle + ":" + version + " was yanked"
                + (reason.isBlank() ? "" : ": " + reason.strip().replaceFirst("[.;,\\s]+$", ""));
        return replacement == null ? sentence : sentence + "; use " + replacement;
    }
}
