package dev.sheaf.server.http.server;

import io.helidon.webserver.CloseConnectionException;

/// A request that waits leaves the stack of the HTTP library, which takes kilobytes, and goes on from [Listener]. The
/// library lets this pass, and sends nothing for it.
public final class Away extends CloseConnectionException {
    private static final long serialVersionUID = 1;

    private final transient Rest rest;

    /// What is left of a request.
    public interface Rest {
        /// Waits, with little else on the stack.
        void await();

        /// @return false where the request is over
        /// @throws CloseConnectionException where no request follows on the connection
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
        return this; // nobody reads it
    }
}
