package dev.sheaf.server.http.server;

import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.spi.ServerConnection;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/// A connection of the HTTP library that tells of its end, and on which requests that wait go on.
record WireConnection(ServerConnection to, Runnable end) implements ServerConnection, InterruptableTask<Void> {
    @Override
    public void handle(Limit limit) throws InterruptedException {
        try {
            while (!handled(limit)) {
                Thread.yield();
            }
        } finally {
            end.run();
        }
    }

    /// @return false where a request went on from here, and more may follow it
    private boolean handled(Limit limit) throws InterruptedException {
        Away request;
        try {
            to.handle(limit);
            return true;
        } catch (Away away) {
            request = away;
        }
        request.goOn();
        return false;
    }

    @Override
    @SuppressWarnings({"deprecation", "removal"}) // the interface has it
    public void handle(Semaphore semaphore) throws InterruptedException {
        throw new UnsupportedOperationException("the library asks with a limit");
    }

    @Override
    public Duration idleTime() {
        return to.idleTime();
    }

    @Override
    public void close(boolean interrupt) {
        to.close(interrupt);
    }

    @Override
    public boolean canInterrupt() {
        return to instanceof InterruptableTask<?> task && task.canInterrupt();
    }
}
