package dev.sheaf.model.wire.admin;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A run of a maintenance task, such as garbage collection.
///
/// @param task such as `gc` or `scrub`
/// @param state `running`, `succeeded`, `failed` or `cancelled`
/// @param unit the things that `done` and `total` count, in the plural
/// @param total null while it is unknown
/// @param counts counters by name
/// @param findings the first thousand findings
/// @param findingsOmitted the number of further findings
/// @param error the reason for the failure; null if the run has not failed
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
    /// A decision or discovery of a task.
    ///
    /// @param subject the object that it is about
    /// @param reason the decision or discovery, and the reason for it
    public record Finding(String subject, String reason) {}
}
