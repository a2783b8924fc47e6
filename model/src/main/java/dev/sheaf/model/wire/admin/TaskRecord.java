package dev.sheaf.model.wire.admin;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A run of a maintenance task, such as garbage collection.
///
/// @param task `gc`, `scrub`, …
/// @param state `running`, `succeeded`, `failed` or `cancelled`
/// @param unit what `done` and `total` count, in the plural
/// @param total null while unknown
/// @param counts counters by name
/// @param findings the first thousand
/// @param findingsOmitted number of further findings
/// @param error why it failed
/// @param startedBy `key:<id>`
public record TaskRecord(
        UUID id,
        String task,
        boolean dryRun,
        String state,
        String unit,
        long done,
        @Nullable Long total,
        Map<String, Long> counts,
        List<Finding> findings,
        long findingsOmitted,
        @Nullable String error,
        Instant startedAt,
        String startedBy,
        Instant updatedAt,
        @Nullable Instant endedAt) {
    /// A decision or discovery.
    ///
    /// @param subject what it is about
    /// @param reason what was decided or found, and why
    public record Finding(String subject, String reason) {}
}
