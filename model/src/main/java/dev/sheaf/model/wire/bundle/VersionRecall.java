package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Why nobody may get the content of a version any more.
///
/// @param by who recalled it; others than members of the organization see its namespace
/// @param severity a value of [dev.sheaf.model.RecallSeverity]
/// @param advisory an address with more
/// @param replacement the version or bundle to use instead
public record VersionRecall(
        Instant at,
        String by,
        String reason,
        String severity,
        @Nullable String advisory,
        @Nullable String replacement) {}
