package dev.sheaf.server.work;

/// Somebody asked a task to stop.
public final class TaskCancelledException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TaskCancelledException() {
        super("cancelled", null, false, false);
    }
}
