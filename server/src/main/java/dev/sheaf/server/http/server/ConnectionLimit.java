package dev.sheaf.server.http.server;

import dev.sheaf.server.net.Cidr;
import dev.sheaf.server.rate.Holder;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Room for connections: so many in all, of which an address has its share, an IPv6 address with its /64. Where
/// there is none, a few more are let in that are told about health and nothing else, so that whoever watches
/// the node is answered while others hold all they may. Who has only a few connections may take the place of
/// one of those who have many, see [Timeouts]. Thread-safe.
public final class ConnectionLimit {
    static final int SPARE = 64;
    static final int SPARE_EACH = 8;
    public static final int FEW = 8;

    private final int most;
    private final int share;
    private final List<Cidr> proxies;
    private final Map<Holder, Integer> taken = new HashMap<>();
    private final Map<Holder, Integer> spareTaken = new HashMap<>();
    private int all;
    private int spare;

    /// @param share most connections of one address
    /// @param proxies addresses that have no share: many stand behind each
    public ConnectionLimit(int most, int share, List<Cidr> proxies) {
        this.most = most;
        this.share = share;
        this.proxies = List.copyOf(proxies);
    }

    /// What a connection takes up.
    enum Slot {
        FULL,
        SPARE,
        NONE
    }

    /// Takes a slot, which is to be given back where it is one.
    synchronized Slot enter(InetAddress address) {
        var holder = Holder.of(address);
        boolean proxy = proxies.stream().anyMatch(block -> block.contains(address));
        if (all < most && (proxy || taken.getOrDefault(holder, 0) < share)) {
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

    /// Whether an address that has few places got none because others have all of them.
    synchronized boolean isCrowdedOut(InetAddress address, Slot slot) {
        return slot != Slot.FULL && all >= most && taken.getOrDefault(Holder.of(address), 0) < FEW;
    }

    /// How many places the address has.
    synchronized int taken(InetAddress address) {
        return taken.getOrDefault(Holder.of(address), 0);
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
                .computeIfPresent(Holder.of(address), (holder, count) -> count == 1 ? null : count - 1);
    }
}
