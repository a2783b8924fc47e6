package dev.sheaf.model.wire.bundle;

import org.jspecify.annotations.Nullable;

/// What a registry says about using a version.
///
/// @param version the version that was asked for, or the one with the digest; null if it is unknown and was not named
/// @param digest the digest of its manifest; null if it is unknown and was not named
/// @param verdict `ok`, `deprecated`, `yanked`, `recalled` or `unknown`: missing, deleted, of another digest,
/// or not for this caller
/// @param reason why it is deprecated, yanked or recalled; null otherwise, and if nobody said
/// @param severity of a recall, a value of [dev.sheaf.model.RecallSeverity]; null otherwise
/// @param replacement what to use instead
/// @param advisory an address with more about a recall
public record VersionVerdict(
        String namespace,
        String bundle,
        @Nullable String version,
        @Nullable String digest,
        String verdict,
        @Nullable String reason,
        @Nullable String severity,
        @Nullable String replacement,
        @Nullable String advisory) {}
