package dev.sheaf.server.maintenance;

/// How a run of a task stands, or how it ended.
enum RunState {
    RUNNING,
    SUCCEEDED,
    CANCELLED,
    FAILED
}
