package dev.sheaf.server.rate;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/// The owner of requests that are counted together: a credential, or the network of an address. Each IPv4
/// address is its own network, even in its IPv6 form (`::ffff:a.b.c.d`, which Java reads as IPv4). An IPv6
/// network is a /64, which belongs to one subscriber.
public sealed interface Holder {
    Pattern UUID_FORM = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    Pattern NETWORK_FORM = Pattern.compile("[0-9a-f]{1,16}");

    record Credential(UUID id) implements Holder {
        @Override
        public String toString() {
            return id.toString();
        }
    }

    /// @param prefix the upper half of an IPv6 address; an IPv4 address is mapped into ffff:ffff::/32, which no
    /// host uses
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

    /// Parses the output of [#toString]. Empty for any other text, such as the form of a newer release.
    static Optional<Holder> find(String text) {
        if (UUID_FORM.matcher(text).matches()) {
            return Optional.of(new Credential(UUID.fromString(text)));
        }
        return NETWORK_FORM.matcher(text).matches()
                ? Optional.of(new Network(Long.parseUnsignedLong(text, 16)))
                : Optional.empty();
    }
}
