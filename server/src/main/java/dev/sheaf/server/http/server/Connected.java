package dev.sheaf.server.http.server;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A connection and its thread. When a request begins to wait, a new thread continues it, because a virtual
/// thread keeps the memory of the deepest stack with which it ever waited. Thread-safe.
final class Connected {
    private static final Logger LOG = LoggerFactory.getLogger(Connected.class);

    private final Connections.Connection known;
    private final SocketChannel channel;
    private final Listener listener;
    private volatile @Nullable WireConnection wire;
    private volatile @Nullable Thread thread;

    /// A stage of the work on a connection.
    private interface Stage {
        /// @return whether another thread continues
        boolean run() throws IOException, InterruptedException;
    }

    Connected(Connections.Connection known, Listener listener) {
        this.known = known;
        this.channel = known.channel;
        this.listener = listener;
    }

    boolean isOn(Connections.Connection connection) {
        return known == connection;
    }

    void begin() {
        start(() -> {
            var its = listener.shake(channel);
            wire = its;
            return serve(its);
        });
    }

    private boolean serve(WireConnection its) throws InterruptedException {
        try {
            its.to().handle(listener.limit());
            return false;
        } catch (Away away) {
            var rest = away.rest();
            start(() -> goOn(its, rest));
            return true;
        }
    }

    private boolean goOn(WireConnection its, Away.Rest rest) throws InterruptedException {
        rest.await();
        if (rest.goOn()) {
            start(() -> goOn(its, rest));
            return true;
        }
        return serve(its);
    }

    /// Starts a thread for a stage. The HTTP library keeps a reference to the thread of the last request, and
    /// the thread keeps one to its task. The task therefore gives up the stage. Otherwise each connection would
    /// keep its previous request in memory.
    private void start(Stage stage) {
        var its = new AtomicReference<@Nullable Stage>(stage);
        Thread.ofVirtual().name("connection").start(() -> run(Objects.requireNonNull(its.getAndSet(null))));
    }

    private void run(Stage stage) {
        thread = Thread.currentThread();
        boolean goesOn = false;
        try {
            goesOn = stage.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) { // clients can cause all of these
            LOG.debug("{}: over", channel, e);
        } finally {
            if (!goesOn) {
                end();
            }
        }
    }

    /// Ends the connection. It still counts under the limits until it is closed, because TLS sends a final
    /// message that the client may not read.
    private void end() {
        var its = wire;
        try (channel) {
            if (its != null) {
                its.end().run();
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("{}: cannot be closed", channel, e);
        } finally {
            listener.over(this, known);
        }
    }

    /// Allows no request after the running one, and closes the connection if it waits for one. A new connection is
    /// left alone, because its client is about to send a request, and so is one with unread bytes.
    ///
    /// @param age how long it counts as new
    void leave(Duration age) {
        var its = wire;
        if (its != null && !known.isNew(age) && !known.hasUnread()) {
            its.to().close(false);
        }
    }

    /// Closes the connection, even during a request.
    void cut() {
        var its = thread;
        if (its != null) {
            its.interrupt();
        }
        end();
    }
}
