package dev.sheaf.client.api;

import dev.sheaf.model.RecallSeverity;
import org.jspecify.annotations.Nullable;

/// Why versions are recalled. Immutable.
///
/// @param reason a sentence for people, 1 to 1,000 characters; everybody sees it who has the version or asks for it
/// @param advisory an https or http address with more
/// @param replacement the version or bundle to use instead, at most 400 characters
public record RecallNotice(
        RecallSeverity severity,
        String reason,
        @Nullable String advisory,
        @Nullable String replacement) {
    /// Creates a notice without more than a reason.
    public RecallNotice(RecallSeverity severity, String reason) {
        this(severity, reason, null, null);
    }
}
