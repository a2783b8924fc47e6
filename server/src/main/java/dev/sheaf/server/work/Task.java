package dev.sheaf.server.work;

/// A piece of upkeep that takes time and may be run at any moment, beside requests and on any node. It works in
/// small steps, says what it does and why through its [TaskRun], and can be stopped between steps with nothing half
/// done.
@FunctionalInterface
public interface Task {
    /// Does everything that is to be done now. In a dry run it says the same and changes nothing.
    ///
    /// @throws TaskCancelledException where [TaskRun#checkpoint] throws it; it is passed on
    void run(TaskRun run);
}
