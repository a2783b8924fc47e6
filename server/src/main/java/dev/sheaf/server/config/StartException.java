package dev.sheaf.server.config;

/// Thrown if the server cannot start. The message says why and what to do, and is shown without a stack trace.
public final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final ServerExit exit;
    private final boolean passing;

    public StartException(ServerExit exit, String message) {
        this(exit, message, false);
    }

    /// @param passing whether the cause may pass by itself, such as a database that does not answer
    public StartException(ServerExit exit, String message, boolean passing) {
        super(message);
        this.exit = exit;
        this.passing = passing;
    }

    /// Returns whether the cause may pass by itself, so that it is worth waiting.
    public boolean isPassing() {
        return passing;
    }

    public ServerExit exit() {
        return exit;
    }
}
