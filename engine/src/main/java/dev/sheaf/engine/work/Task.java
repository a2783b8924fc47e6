package dev.sheaf.engine.work;

/// Maintenance work that may run at any time, alongside requests and on any node. It works in small steps,
/// reports what it does and why to its [TaskRun], and can be stopped between steps without leaving anything
/// half done.
@FunctionalInterface
public interface Task {
    /// Does all the work that is due. A dry run reports the same and changes nothing.
    ///
    /// @throws TaskCancelledException if [TaskRun#checkpoint] throws it; pass it on
    void run(TaskRun run);
}
