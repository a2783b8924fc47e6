package dev.sheaf.engine.http;

import io.netty.channel.socket.SocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// An open connection and its running requests: at most one over HTTP/1, one a stream over HTTP/2. Its methods run on
/// its loop's thread.
final class ClientConnection {
    private static final long SPARE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int MOST_FAILED_STREAMS = 1_000;
    private static final long FAILED_STREAMS_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long SPARE_ANSWER_NANOS = TimeUnit.SECONDS.toNanos(1);

    final SocketChannel channel;
    final InetSocketAddress remote;
    final InetSocketAddress local;
    final ConnectionLimit.Slot slot;
    final long opened = System.nanoTime();
    private final Set<HttpConnection> running = new HashSet<>(2);
    private volatile boolean idle = true; // may be read by other threads
    private volatile long idleSince = System.nanoTime();
    private boolean used;
    private boolean leaves;
    private int failedStreams; // since then
    private long failedSince = System.nanoTime();

    @Nullable
    HttpConnection http1;

    ClientConnection(SocketChannel channel, ConnectionLimit.Slot slot) {
        this.channel = channel;
        this.remote = channel.remoteAddress();
        this.local = channel.localAddress();
        this.slot = slot;
    }

    InetAddress address() {
        return remote.getAddress();
    }

    void begin(HttpConnection request) {
        used = true;
        idle = false;
        running.add(request);
    }

    void end(HttpConnection request) {
        running.remove(request);
        if (running.isEmpty()) {
            idleSince = System.nanoTime();
            idle = true;
        }
    }

    boolean isIdle() {
        return idle;
    }

    /// Returns whether it may be closed for another check of health: no request runs, or a long one, though the answer
    /// is short.
    boolean isSpent() {
        return idle || System.nanoTime() - opened > SPARE_ANSWER_NANOS;
    }

    /// Counts a stream of HTTP/2 that a wrong frame has ended. A client that makes the server end streams one after
    /// another begins more requests than the limit of streams allows ("MadeYouReset", CVE-2025-8671).
    void failedStream() {
        long now = System.nanoTime();
        if (now - failedSince > FAILED_STREAMS_NANOS) {
            failedSince = now;
            failedStreams = 0;
        }
        if (++failedStreams == MOST_FAILED_STREAMS) {
            cut();
        }
    }

    /// Returns when it began to wait for a request.
    long idleSince() {
        return idleSince;
    }

    /// Ends what takes too long.
    void check(long now, long patience) {
        long its = slot == ConnectionLimit.Slot.SPARE ? Math.min(patience, SPARE_NANOS) : patience;
        if (idle && now - idleSince > its) {
            cut();
        } else {
            Set.copyOf(running).forEach(request -> request.check(now));
        }
        if (http1 != null) {
            http1.checkLinger(now);
        }
    }

    /// Closes it if no request runs and none is about to come. Over HTTP/2, tells the client to send no more.
    ///
    /// @param age how long it counts as new
    void leave(Duration age) {
        boolean isNew = !used && System.nanoTime() - idleSince < age.toNanos();
        if (http1 == null ? !isNew && !leaves : idle && !isNew && !http1.hasUnread()) {
            leaves = true;
            channel.close();
        }
    }

    /// Closes it at once, even during a request.
    void cut() {
        channel.unsafe().close(channel.voidPromise());
    }
}
