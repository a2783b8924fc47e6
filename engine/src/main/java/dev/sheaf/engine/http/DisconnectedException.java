package dev.sheaf.engine.http;

/// Thrown where an answer cannot be sent, because the client or its connection is gone, or is too slow.
public final class DisconnectedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DisconnectedException(String message, Throwable cause) {
        super(message, cause);
    }

    /// @param message what happened
    public DisconnectedException(String message) {
        super(message);
    }
}
