package dev.sheaf.server.task;

/// Somebody asked a task to stop.
public final class TaskCancelledException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TaskCancelledException() {
        super("cancelled", null, false, false);
    }
}
