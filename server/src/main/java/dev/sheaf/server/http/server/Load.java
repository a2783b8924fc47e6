package dev.sheaf.server.http.server;

import dev.sheaf.model.Problem;
import dev.sheaf.server.cpu.Backlog;
import dev.sheaf.server.http.wire.Http2Writer;
import dev.sheaf.server.metrics.Tally;
import dev.sheaf.server.rate.Holder;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// The requests in progress, without those that wait for events. Refuses requests that a node cannot carry out, before
/// they cost much:
///
/// - if more requests are in progress than there may be connections, those on connections that have another one. So
///   over HTTP/1 none is refused, and over HTTP/2 nobody can take the memory and the time of those who ask for one
///   thing at a time. If half as many are in progress, this applies to each address that has more of them than it may
///   have connections, and than one connection may have, so that no address takes all.
/// - if requests wait longer for a processor than they may take: their clients are probably gone.
///
/// Thread-safe.
public final class Load {
    private static final long RETRY_SECONDS = 5;

    private final ConnectionLimit room;
    private final long patience;
    private final Backlog backlog;
    private final AtomicInteger busy = new AtomicInteger();
    // beside another one of their connection, by address
    private final ConcurrentHashMap<Holder, Integer> beside = new ConcurrentHashMap<>();
    private final LongAdder crowded;
    private final LongAdder late;

    /// What is said to a request.
    enum Verdict {
        WELCOME,
        CROWDED,
        LATE
    }

    /// @param room its limits of connections are also those of requests in progress
    /// @param patience how long a request may wait for a processor; zero for no limit
    /// @param refused counts refusals by their reason
    Load(ConnectionLimit room, Duration patience, Backlog backlog, Tally refused) {
        this.room = room;
        this.patience = patience.toNanos();
        this.backlog = backlog;
        this.crowded = refused.of("requests");
        this.late = refused.of("processors");
    }

    Verdict begin(Connections.@Nullable Connection connection) {
        if (connection != null) {
            connection.begin();
        }
        return enter(connection);
    }

    void end(Connections.@Nullable Connection connection) {
        if (connection != null) {
            connection.end();
        }
        leave(connection);
    }

    /// Counts a request.
    Verdict enter(Connections.@Nullable Connection connection) {
        int all = busy.incrementAndGet();
        int together = connection == null ? 2 : connection.busy.incrementAndGet();
        if (together > 1 && isCrowded(all, connection)) {
            return Verdict.CROWDED;
        }
        return patience > 0 && backlog.renewed() > patience ? Verdict.LATE : Verdict.WELCOME;
    }

    /// Counts a request beside another one.
    private boolean isCrowded(int all, Connections.@Nullable Connection connection) {
        int its = connection == null ? 0 : beside(connection, 1);
        if (all > room.most()) {
            return true;
        }
        return connection != null
                && all > room.most() / 2
                && its > Math.max(room.share(connection.address), Http2Writer.ACCEPTED_STREAMS);
    }

    /// Counts a request no longer, because it waits for something or has ended.
    void leave(Connections.@Nullable Connection connection) {
        busy.decrementAndGet();
        if (connection != null && connection.busy.decrementAndGet() > 0) {
            beside(connection, -1);
        }
    }

    /// Adds to the number of an address. It may be below zero for a moment, because a request that ends can be faster
    /// than one that begins.
    private int beside(Connections.Connection connection, int change) {
        var sum = beside.merge(connection.holder, change, (before, more) -> before + more == 0 ? null : before + more);
        return sum == null ? 0 : sum;
    }

    /// @throws dev.sheaf.model.ProblemException unavailable if the verdict is a refusal
    void apply(Verdict verdict) {
        switch (verdict) {
            case WELCOME -> {}
            case CROWDED -> {
                crowded.increment();
                throw new Problem.Unavailable(
                                "too many requests are in progress; try again, with fewer at a time on a connection",
                                RETRY_SECONDS)
                        .raise();
            }
            case LATE -> {
                late.increment();
                throw new Problem.Unavailable("all processors of this node are busy; try again", RETRY_SECONDS).raise();
            }
        }
    }
}
