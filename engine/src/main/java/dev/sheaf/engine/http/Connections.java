package dev.sheaf.engine.http;

import dev.sheaf.engine.net.RateHolder;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The open connections, each with a place of the [ConnectionLimit]. Thread-safe.
final class Connections {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    private final ConnectionLimit room;
    private final Set<ClientConnection> open = ConcurrentHashMap.newKeySet();

    Connections(ConnectionLimit room) {
        this.room = room;
    }

    /// Returns the limit of connections in total.
    int most() {
        return room.most();
    }

    int count() {
        return open.size();
    }

    /// Registers an accepted connection until it is closed; null if the limits of connections are reached.
    @Nullable
    ClientConnection accepted(SocketChannel channel) {
        if (channel.remoteAddress() == null) {
            return null; // gone already
        }
        var address = channel.remoteAddress().getAddress();
        var slot = room.enter(address);
        if (room.isCrowdedOut(address, slot) && makeRoom()) {
            room.leave(address, slot);
            slot = room.enter(address);
        }
        if (slot == ConnectionLimit.Slot.NONE && makeSpareRoom(address)) {
            slot = room.enter(address);
        }
        if (slot == ConnectionLimit.Slot.NONE) {
            LOG.debug("{}: no room for more connections of this address", address);
            return null;
        }
        var connection = new ClientConnection(channel, slot);
        open.add(connection);
        channel.closeFuture().addListener(closed -> over(connection));
        return connection;
    }

    /// Closes an idle connection of the address with the most connections: the one that has waited longest for
    /// a request.
    ///
    /// @return false if no address has enough connections
    private boolean makeRoom() {
        ClientConnection longest = null;
        int most = ConnectionLimit.FEW;
        for (var connection : open) {
            if (connection.isIdle() && connection.slot == ConnectionLimit.Slot.FULL) {
                int has = room.taken(connection.address());
                boolean longer = longest != null && connection.idleSince() - longest.idleSince() < 0;
                if (has > most || has == most && longer) {
                    most = has;
                    longest = connection;
                }
            }
        }
        if (longest == null) {
            return false;
        }
        LOG.debug("{}: closed, because another address has few connections", longest.remote);
        end(longest);
        return true;
    }

    /// Closes the oldest spare connection: of this address, if it has all that it may have. So checks of health get
    /// through, even from an address that opens connections, and sends or reads nothing.
    ///
    /// @return false if requests have just begun on all of them
    private boolean makeSpareRoom(InetAddress address) {
        boolean own = room.hasAllSpare(address);
        var longest = open.stream()
                .filter(connection -> connection.slot == ConnectionLimit.Slot.SPARE && connection.isSpent())
                .filter(connection ->
                        !own || RateHolder.of(connection.address()).equals(RateHolder.of(address)))
                .min((a, b) -> Long.signum(a.opened - b.opened));
        longest.ifPresent(this::end);
        return longest.isPresent();
    }

    private void end(ClientConnection connection) {
        over(connection);
        connection.channel.eventLoop().execute(connection::cut);
    }

    private void over(ClientConnection connection) {
        if (open.remove(connection)) {
            room.leave(connection.address(), connection.slot);
        }
    }

    /// Ends what takes too long on the connections of a loop. Call it there.
    void check(EventLoop loop, long patience) {
        long now = System.nanoTime();
        for (var connection : open) {
            if (connection.channel.eventLoop() == loop) {
                try {
                    connection.check(now, patience);
                } catch (RuntimeException e) { // the others must be checked too
                    LOG.error("{}: cannot be checked", connection.remote, e);
                }
            }
        }
    }

    /// Lets all connections leave that can.
    ///
    /// @return whether all have left
    boolean haveLeft(Duration age) {
        open.stream()
                .collect(Collectors.groupingBy(connection -> connection.channel.eventLoop()))
                .forEach((loop, its) -> loop.execute(() -> its.forEach(connection -> connection.leave(age))));
        return open.isEmpty();
    }

    void cut() {
        open.forEach(connection -> connection.channel.eventLoop().execute(connection::cut));
    }
}
