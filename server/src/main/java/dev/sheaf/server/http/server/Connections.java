package dev.sheaf.server.http.server;

import dev.sheaf.server.http.wire.Http1Bytes;
import dev.sheaf.server.rate.Holder;
import io.helidon.webserver.ServerConnectionException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The open connections, each with a place of the [ConnectionLimit]. A connection without a running request is
/// closed if it sends no complete request head in time, which includes the TLS handshake. Thread-safe.
final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
    private static final long SPARE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final long patience;
    private final ConnectionLimit room;
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();

    /// The latest connection by remote address. A connection that the client has reset stays open here while
    /// its request waits. Meanwhile, a new connection may come from the same port.
    private final Map<SocketAddress, Connection> byPeer = new ConcurrentHashMap<>();

    /// @param patience how long a connection may wait for a request
    Connections(Duration patience, ConnectionLimit room) {
        this.patience = patience.toNanos();
        this.room = room;
    }

    static final class Connection {
        final SocketChannel channel;
        private final SocketAddress peer;
        final InetAddress address;
        final Holder holder;
        final ConnectionLimit.Slot slot;
        private final AtomicInteger requests = new AtomicInteger();
        final AtomicInteger busy = new AtomicInteger(); // requests that do not wait for events
        volatile @Nullable Http1Bytes wire;
        volatile @Nullable WaitingStreams streams;
        private volatile @Nullable Runnable atEnd;
        private volatile long idleSince = System.nanoTime();
        private volatile boolean used;

        Connection(SocketChannel channel, InetSocketAddress peer, ConnectionLimit.Slot slot) {
            this.channel = channel;
            this.peer = peer;
            this.address = peer.getAddress();
            this.holder = Holder.of(address);
            this.slot = slot;
        }

        void begin() {
            used = true;
            requests.incrementAndGet();
        }

        void end() {
            idleSince = System.nanoTime();
            requests.decrementAndGet();
        }

        /// Sets the timeout of reads.
        void pause(int millis) {
            try {
                channel.socket().setSoTimeout(millis);
            } catch (SocketException e) {
                LOG.debug("{}: gone", channel, e);
            }
        }

        /// Returns whether the client is known to have closed the connection. A lost network is not noticed.
        boolean isGone() {
            var its = wire;
            if (its == null) {
                return false;
            }
            try {
                var socket = channel.socket();
                int before = socket.getSoTimeout();
                socket.setSoTimeout(1);
                try {
                    return its.hasEnded();
                } finally {
                    socket.setSoTimeout(before);
                }
            } catch (IOException e) {
                return true;
            } catch (ServerConnectionException e) {
                return !(e.getCause() instanceof UncheckedIOException failure
                        && failure.getCause() instanceof SocketTimeoutException);
            }
        }

        /// Returns whether it is younger than this and has not had a request.
        boolean isNew(Duration age) {
            return !used && System.nanoTime() - idleSince < age.toNanos();
        }

        /// Returns whether the client has sent something that nobody has read, and no request runs.
        boolean hasUnread() {
            try {
                return isIdle() && channel.socket().getInputStream().available() > 0;
            } catch (IOException e) {
                return false; // it is closed
            }
        }

        private boolean isIdle() {
            return requests.get() == 0;
        }

        void shut() {
            try {
                channel.close();
            } catch (IOException e) {
                LOG.debug("{} cannot be closed", channel, e);
            }
            var end = atEnd;
            if (end != null) {
                end.run();
            }
        }
    }

    int count() {
        return open.size();
    }

    @Nullable
    Connection find(SocketAddress peer) {
        return byPeer.get(peer);
    }

    /// Registers an accepted connection.
    ///
    /// @return to be passed to [#over]
    /// @throws IOException if the limits of connections are reached
    Connection accepted(SocketChannel channel) throws IOException {
        var peer = (InetSocketAddress) channel.getRemoteAddress();
        var address = peer.getAddress();
        var slot = room.enter(address);
        if (room.isCrowdedOut(address, slot) && makeRoom()) {
            room.leave(address, slot);
            slot = room.enter(address);
        }
        if (slot == ConnectionLimit.Slot.NONE) {
            LOG.debug("{}: no room for more connections of this address", address);
            throw new IOException("no room");
        }
        var connection = new Connection(channel, peer, slot);
        open.add(connection);
        byPeer.put(peer, connection);
        return connection;
    }

    /// Closes an idle connection of the address with the most connections: the one that has waited longest for
    /// a request.
    ///
    /// @return false if no address has enough connections
    private boolean makeRoom() {
        Connection longest = null;
        int most = ConnectionLimit.FEW;
        for (var connection : open) {
            if (connection.isIdle() && connection.slot == ConnectionLimit.Slot.FULL) {
                int has = room.taken(connection.address);
                boolean longer = longest != null && connection.idleSince - longest.idleSince < 0;
                if (has > most || has == most && longer) {
                    most = has;
                    longest = connection;
                }
            }
        }
        if (longest == null) {
            return false;
        }
        LOG.debug("{}: closed, because another address has few connections", longest.peer);
        over(longest);
        longest.shut();
        return true;
    }

    /// Removes a closed connection. Does nothing if it was removed before.
    void over(Connection connection) {
        if (open.remove(connection)) {
            byPeer.remove(connection.peer, connection);
            room.leave(connection.address, connection.slot);
        }
    }

    /// Records that the connection from this address uses HTTP/1.
    void speaks(SocketAddress peer, Http1Bytes wire) {
        var connection = byPeer.get(peer);
        if (connection != null) {
            connection.wire = wire;
        }
    }

    /// Records that the connection from this address uses HTTP/2.
    void speaks(SocketAddress peer, WaitingStreams streams) {
        var connection = byPeer.get(peer);
        if (connection != null) {
            connection.streams = streams;
        }
    }

    /// Sets an action that runs when the connection from this address is closed for taking too long.
    void atEnd(SocketAddress peer, Runnable end) {
        var connection = byPeer.get(peer);
        if (connection != null) {
            connection.atEnd = end;
        }
    }

    /// Closes connections that have waited too long, and removes connections that were closed elsewhere.
    void check(long now) {
        open.forEach(connection -> {
            if (!connection.channel.isOpen()) {
                over(connection);
            } else if (connection.isIdle() && now - connection.idleSince > patience(connection)) {
                connection.shut();
            }
        });
    }

    private long patience(Connection connection) {
        return connection.slot == ConnectionLimit.Slot.SPARE ? Math.min(patience, SPARE_NANOS) : patience;
    }
}
