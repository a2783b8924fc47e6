package dev.sheaf.server.maintenance;

/// The state of a run of a task.
enum RunState {
    RUNNING,
    SUCCEEDED,
    CANCELLED,
    FAILED
}
