package dev.sheaf.server.http.server;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A connection and its thread. While a request waits that is another one, as a virtual thread keeps the memory
/// of the deepest stack that it ever waited with. Thread-safe.
final class Connected {
    private static final Logger LOG = LoggerFactory.getLogger(Connected.class);

    private final Connections.Connection known;
    private final SocketChannel channel;
    private final Listener listener;
    private volatile @Nullable WireConnection wire;
    private volatile @Nullable Thread thread;

    /// What a thread does for it.
    private interface Stage {
        /// @return whether another one goes on
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

    /// The HTTP library remembers the thread of the last request, and a thread what it was made for: that is
    /// taken out, or each connection would keep the request before.
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
        } catch (IOException | RuntimeException e) { // what clients send can bring it about; requests tell of their own
            LOG.debug("{}: over", channel, e);
        } finally {
            if (!goesOn) {
                end();
            }
        }
    }

    /// It counts, and is watched, until it is closed: over TLS a last word is to be sent, which the other side
    /// may not take.
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

    /// No more requests: one that waits for the next is ended.
    void leave() {
        var its = wire;
        if (its == null) {
            cut();
        } else {
            its.to().close(false);
        }
    }

    /// Ends it, whatever it does.
    void cut() {
        var its = thread;
        if (its != null) {
            its.interrupt();
        }
        end();
    }
}
