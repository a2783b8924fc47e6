package dev.sheaf.server.http.server;

import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.spi.ServerConnection;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/// A connection of the HTTP library that tells of its end.
record WireConnection(ServerConnection to, Runnable end) implements ServerConnection, InterruptableTask<Void> {
    @Override
    public void handle(Limit limit) throws InterruptedException {
        try {
            to.handle(limit);
        } finally {
            end.run();
        }
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
