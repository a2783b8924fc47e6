package dev.sheaf.server.queue;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.queue.ExecutionDefaults;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.server.auth.Caller;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// Queues in the form of the API.
final class QueueWire {
    private QueueWire() {}

    private record Oldest(UUID queueId, Instant createdAt) {}

    static Queue show(Tx tx, Caller.Known caller, QueueRow row) {
        return show(tx, caller, List.of(row)).getFirst();
    }

    static List<Queue> show(Tx tx, Caller.Known caller, List<QueueRow> rows) {
        var ids = rows.stream().map(QueueRow::id).toList();
        var counts = JobCounts.of(tx, ids);
        var oldest = tx.map("""
                SELECT id, (SELECT created_at FROM job WHERE queue_id = queue.id AND status = 'queued' ORDER BY id LIMIT 1)
                FROM queue WHERE id IN (<ids>)
                AND EXISTS (SELECT 1 FROM job WHERE queue_id = queue.id AND status = 'queued')
                """, UUID.class, Instant.class, "ids", ids);
        var instructions = InstructionRows.active(tx, ids);
        return rows.stream()
                .map(row -> show(
                        caller,
                        row,
                        JobCounts.toWire(counts.getOrDefault(row.id(), Map.of())),
                        Optional.ofNullable(instructions.get(row.id())),
                        Optional.ofNullable(oldest.get(row.id()))))
                .toList();
    }

    private static Queue show(
            Caller.Known caller,
            QueueRow row,
            Queue.Counts counts,
            Optional<InstructionRow> instruction,
            Optional<Instant> oldest) {
        var settings = row.settings();
        var execution = settings.execution();
        var events = settings.events();
        boolean writes = caller.scope().includes(Scope.WRITE);
        return new Queue(
                row.id(),
                row.organizationId(),
                settings.slug(),
                settings.name(),
                settings.description(),
                row.status().toString(),
                row.habitatId(),
                settings.maxAttempts(),
                settings.leaseSeconds(),
                settings.timeoutSeconds(),
                settings.maxRunning(),
                settings.maxDepth(),
                new Queue.Retry(settings.retryBase(), settings.retryCap()),
                settings.retentionDays(),
                settings.bundle(),
                settings.harnessType(),
                writes && execution != null ? execution.to(ExecutionDefaults.class) : null,
                events == null ? List.of() : events.names(),
                instruction
                        .map(its -> new Queue.ActiveInstruction(its.id(), its.slug(), its.name(), its.version()))
                        .orElse(null),
                counts,
                oldest.orElse(null),
                row.createdAt(),
                row.createdBy(),
                row.updatedAt());
    }
}
