package dev.sheaf.engine.net;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.UUID;

/// The owner of requests that are counted together: a credential, or the network of an address. Each IPv4
/// address is its own network, even in its IPv6 form (`::ffff:a.b.c.d`, which Java reads as IPv4). An IPv6
/// network is a /64, which belongs to one subscriber.
public sealed interface RateHolder {
    record Credential(UUID id) implements RateHolder {}

    /// @param prefix the upper half of an IPv6 address; an IPv4 address is mapped into ffff:ffff::/32, which no
    /// host uses
    record Network(long prefix) implements RateHolder {}

    static RateHolder of(InetAddress address) {
        var bytes = ByteBuffer.wrap(address.getAddress());
        return new Network(
                address instanceof Inet4Address ? -1L << 32 | bytes.getInt() & 0xffffffffL : bytes.getLong());
    }
}
