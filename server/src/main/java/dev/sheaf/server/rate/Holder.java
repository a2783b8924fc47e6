package dev.sheaf.server.rate;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.UUID;

/// Whom requests are counted for: a credential, or the network of an address. An IPv4 address is one network, and
/// so is one within IPv6 (`::ffff:a.b.c.d`, which Java reads as IPv4); of IPv6 it is the /64, which one subscriber
/// has.
public sealed interface Holder {
    record Credential(UUID id) implements Holder {
        @Override
        public String toString() {
            return id.toString();
        }
    }

    /// @param prefix the upper half of an IPv6 address; for IPv4 the address under ffff:ffff::/32, where no host is
    record Network(long prefix) implements Holder {
        @Override
        public String toString() {
            return Long.toHexString(prefix);
        }
    }

    static Holder of(InetAddress address) {
        var bytes = ByteBuffer.wrap(address.getAddress());
        return new Network(
                address instanceof Inet4Address ? -1L << 32 | bytes.getInt() & 0xffffffffL : bytes.getLong());
    }

    /// Reads what [#toString] wrote.
    static Holder parse(String text) {
        return text.indexOf('-') > 0
                ? new Credential(UUID.fromString(text))
                : new Network(Long.parseUnsignedLong(text, 16));
    }
}
