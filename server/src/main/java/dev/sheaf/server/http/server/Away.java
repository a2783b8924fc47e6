package dev.sheaf.server.http.server;

import io.helidon.webserver.CloseConnectionException;

/// Thrown when a request begins to wait: it leaves the stack of the HTTP library, which takes kilobytes, and
/// [Listener] continues it later. The library passes this exception on and sends nothing.
public final class Away extends CloseConnectionException {
    private static final long serialVersionUID = 1;

    private final transient Rest rest;

    /// The rest of a request.
    public interface Rest {
        /// Waits on a shallow stack.
        void await();

        /// Continues the request.
        ///
        /// @return false when the request is complete
        /// @throws CloseConnectionException if no further request follows on the connection
        boolean goOn();
    }

    public Away(Rest rest) {
        super("the request waits");
        this.rest = rest;
    }

    Rest rest() {
        return rest;
    }

    @Override
    public Throwable fillInStackTrace() {
        return this; // never read
    }
}
