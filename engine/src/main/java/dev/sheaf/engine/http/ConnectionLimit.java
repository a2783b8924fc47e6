package dev.sheaf.engine.http;

import dev.sheaf.engine.net.Cidr;
import dev.sheaf.engine.net.RateHolder;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Limits the number of open connections in total and per address (an IPv6 /64 counts as one address). Beyond
/// the limit, a few spare connections are admitted, which get answers about health only, so that monitoring
/// works while clients hold all places. If an address has few connections, a new one may replace an idle
/// connection of an address with many, see [Connections]. Thread-safe.
public final class ConnectionLimit {
    static final int SPARE = 64;
    static final int SPARE_EACH = 8;
    public static final int FEW = 8;

    private final int most;
    private final int share;
    private final List<Cidr> proxies;
    private final Map<RateHolder, Integer> taken = new HashMap<>();
    private final Map<RateHolder, Integer> spareTaken = new HashMap<>();
    private int all;
    private int spare;

    /// @param most the limit of connections in total
    /// @param share the limit of connections of one address
    /// @param proxies addresses without a limit, because each serves many clients
    public ConnectionLimit(int most, int share, List<Cidr> proxies) {
        this.most = most;
        this.share = share;
        this.proxies = List.copyOf(proxies);
    }

    /// Returns the limit of connections in total.
    int most() {
        return most;
    }

    private boolean isProxy(InetAddress address) {
        return proxies.stream().anyMatch(block -> block.contains(address));
    }

    /// The kind of place that a connection takes.
    enum Slot {
        FULL,
        SPARE,
        NONE
    }

    /// Takes a place, which must be returned unless it is NONE.
    synchronized Slot enter(InetAddress address) {
        var holder = RateHolder.of(address);
        if (all < most && (isProxy(address) || taken.getOrDefault(holder, 0) < share)) {
            all++;
            taken.merge(holder, 1, Integer::sum);
            return Slot.FULL;
        }
        if (spare < SPARE && spareTaken.getOrDefault(holder, 0) < SPARE_EACH) {
            spare++;
            spareTaken.merge(holder, 1, Integer::sum);
            return Slot.SPARE;
        }
        return Slot.NONE;
    }

    /// Returns whether an address with few connections was refused because others hold all places.
    synchronized boolean isCrowdedOut(InetAddress address, Slot slot) {
        return slot != Slot.FULL && all >= most && taken.getOrDefault(RateHolder.of(address), 0) < FEW;
    }

    /// Returns whether the address holds all spare places that it may hold.
    synchronized boolean hasAllSpare(InetAddress address) {
        return spareTaken.getOrDefault(RateHolder.of(address), 0) >= SPARE_EACH;
    }

    /// Returns the number of places that the address holds.
    synchronized int taken(InetAddress address) {
        return taken.getOrDefault(RateHolder.of(address), 0);
    }

    synchronized void leave(InetAddress address, Slot slot) {
        if (slot == Slot.FULL) {
            all--;
        } else if (slot == Slot.SPARE) {
            spare--;
        } else {
            return;
        }
        (slot == Slot.FULL ? taken : spareTaken)
                .computeIfPresent(RateHolder.of(address), (holder, count) -> count == 1 ? null : count - 1);
    }
}
