package dev.sheaf.server.maintenance.pages;

import dev.sheaf.model.wire.admin.OperationsReport;
import dev.sheaf.model.wire.admin.TaskKind;
import dev.sheaf.model.wire.admin.TaskRecord;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A task in the table of tasks: what it does, how dangerous it is, and when it last ended.
///
/// @param tone the tone of the danger: `ok`, `warn` or `bad`
/// @param danger the danger in a few words
public record TaskLook(
        TaskKind kind,
        String tone,
        String danger,
        @Nullable Instant succeededAt,
        @Nullable Instant failedAt) {
    /// Some tasks under one heading.
    public record Group(String name, List<TaskLook> tasks) {
        public Group {
            tasks = List.copyOf(tasks);
        }
    }

    private static final List<TaskKind> OF_STORE = List.of(
            TaskKind.BACKUP,
            TaskKind.SCRUB,
            TaskKind.FSCK,
            TaskKind.AUDIT_VERIFY,
            TaskKind.GC,
            TaskKind.SWEEP,
            TaskKind.RESCAN);

    /// Returns all tasks, the harmless ones first.
    static List<Group> groups(List<OperationsReport.TaskEnd> ends) {
        var byName = ends.stream().collect(Collectors.toMap(OperationsReport.TaskEnd::task, Function.identity()));
        return List.of(
                new Group(
                        "Keeps the store healthy",
                        OF_STORE.stream().map(kind -> of(kind, byName)).toList()),
                new Group(
                        "Changes who gets in",
                        Stream.of(TaskKind.values())
                                .filter(kind -> !OF_STORE.contains(kind))
                                .map(kind -> of(kind, byName))
                                .toList()));
    }

    private static TaskLook of(TaskKind kind, Map<String, OperationsReport.TaskEnd> ends) {
        var end = ends.get(kind.toString());
        var succeeded = end == null ? null : end.succeededAt();
        var failed = end == null ? null : end.failedAt();
        return new TaskLook(kind, tone(kind), danger(kind), succeeded, failed);
    }

    static String tone(TaskKind kind) {
        return switch (kind) {
            case AUDIT_VERIFY, BACKUP, RESCAN, SCRUB -> "ok";
            case FSCK, GC, SWEEP, ROTATE_PEPPER, ROTATE_TOKEN_KEYS -> "warn";
            case REPLACE_TOKEN_KEYS, RETIRE_PEPPER -> "bad";
        };
    }

    static String danger(TaskKind kind) {
        return switch (kind) {
            case AUDIT_VERIFY, SCRUB -> "None: reads only";
            case BACKUP, RESCAN -> "None";
            case FSCK -> "Repairs";
            case GC, SWEEP -> "Deletes";
            case ROTATE_PEPPER, ROTATE_TOKEN_KEYS -> "Begins a change";
            case REPLACE_TOKEN_KEYS, RETIRE_PEPPER -> "Ends access";
        };
    }

    /// Returns the tone of a run: whether it is over, and how it ended.
    public static String toneOf(TaskRecord run) {
        return switch (run.state()) {
            case "running" -> "info";
            case "succeeded" -> "ok";
            case "cancelled" -> "warn";
            default -> "bad";
        };
    }

    /// Returns the symbol of a tone.
    public static String icon(String tone) {
        return switch (tone) {
            case "ok" -> "check";
            case "warn" -> "warn";
            default -> "stop";
        };
    }

    /// Returns whether the last run failed.
    public boolean hasFailed() {
        return failedAt != null && (succeededAt == null || failedAt.isAfter(succeededAt));
    }
}
