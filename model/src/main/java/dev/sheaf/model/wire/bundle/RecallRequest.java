package dev.sheaf.model.wire.bundle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The request to recall versions, named in one way: by `versions`, or by a `range` with what is `expected` in it.
///
/// @param severity a value of [dev.sheaf.model.RecallSeverity]
/// @param advisory an https or http address with more
/// @param replacement the version or bundle to use instead
/// @param force whether more than 100 versions may be recalled at once
public record RecallRequest(
        @Nullable List<String> versions,
        @Nullable String range,
        @Nullable List<String> expected,
        String severity,
        String reason,
        @Nullable String advisory,
        @Nullable String replacement,
        @Nullable Boolean force) {}
