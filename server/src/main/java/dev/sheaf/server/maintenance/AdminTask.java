package dev.sheaf.server.maintenance;

import dev.sheaf.engine.work.Task;
import dev.sheaf.model.wire.admin.TaskKind;
import dev.sheaf.model.wire.admin.TaskKindRecord;
import java.util.List;

/// A task that administrators can start: what it is, what it does to this installation, and its work.
///
/// @param effects counts what it would change now
public record AdminTask(TaskKind kind, Effects effects, Task task) {
    /// Tells what a task would do now, so that somebody can decide.
    @FunctionalInterface
    public interface Effects {
        /// Returns sentences with numbers, counted at the moment of the call.
        List<String> count();
    }

    /// Returns the task as the API shows it.
    public TaskKindRecord describe() {
        return new TaskKindRecord(kind.toString(), kind.purpose(), kind.endsAccess(), effects.count());
    }
}
