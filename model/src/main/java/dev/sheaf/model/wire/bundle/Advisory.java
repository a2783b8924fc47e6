package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A recalled version, in the list of a namespace.
///
/// @param id of the version
/// @param recalledAt when it was recalled; a new reason is a new time
/// @param severity a value of [dev.sheaf.model.RecallSeverity]
/// @param advisory an address with more
/// @param replacement the version or bundle to use instead
public record Advisory(
        UUID id,
        String namespace,
        String bundle,
        String version,
        String ociDigest,
        Instant recalledAt,
        String severity,
        String reason,
        @Nullable String advisory,
        @Nullable String replacement) {}
