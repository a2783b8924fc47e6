package dev.sheaf.server.config;

/// Thrown if the server cannot start. The message says why and what to do, and is shown without a stack trace.
public final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final Exit exit;

    public StartException(Exit exit, String message) {
        super(message);
        this.exit = exit;
    }

    public Exit exit() {
        return exit;
    }
}
