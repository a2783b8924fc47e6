package dev.sheaf.engine.work;

/// A task was asked to stop.
public final class TaskCancelledException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TaskCancelledException() {
        super("cancelled", null, false, false);
    }
}
