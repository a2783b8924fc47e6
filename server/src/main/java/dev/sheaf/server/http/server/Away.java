package dev.sheaf.server.http.server;

import io.helidon.webserver.CloseConnectionException;

/// A request that waits leaves the stack of the HTTP library, which takes ten kilobytes, and goes on from
/// [WireConnection]. The library lets this pass, and sends nothing for it.
public final class Away extends CloseConnectionException {
    private static final long serialVersionUID = 1;

    private final transient Runnable rest;

    /// @param rest waits, answers, and ends the request
    public Away(Runnable rest) {
        super("the request waits");
        this.rest = rest;
    }

    /// @throws CloseConnectionException where no request follows on the connection
    void goOn() {
        try {
            rest.run();
        } catch (CloseConnectionException e) {
            throw e;
        } catch (RuntimeException e) { // whoever threw it has told
            throw new CloseConnectionException("the answer was cut off", e);
        }
    }

    @Override
    public Throwable fillInStackTrace() {
        return this; // nobody reads it
    }
}
