package dev.sheaf.engine.net;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Decides whether an address belongs to the public internet. Addresses of this machine, its network and its
/// cloud do not, and neither do unassigned addresses (IANA special-purpose registries, RFC 6890).
final class PublicAddresses {
    private static final List<Cidr> NOT_PUBLIC = blocks(
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10", // carrier networks; some clouds serve credentials here
            "127.0.0.0/8",
            "168.63.129.16/32", // Azure's service address for its virtual machines
            "169.254.0.0/16", // link-local; most clouds serve credentials here
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4",
            "2001::/23", // protocols such as Teredo
            "2001:db8::/32",
            "2002::/16", // 6to4, which can reach any IPv4 address
            "3fff::/20");

    private static final Cidr GLOBAL_UNICAST = Cidr.parse("2000::/3");
    private static final Cidr NAT64 = Cidr.parse("64:ff9b::/96");

    private PublicAddresses() {}

    private static List<Cidr> blocks(String... blocks) {
        return Stream.of(blocks).map(Cidr::parse).toList();
    }

    static boolean contains(InetAddress address) {
        if (address instanceof Inet6Address && NAT64.contains(address)) {
            return contains(behindNat64(address));
        }
        return !address.isAnyLocalAddress()
                && (!(address instanceof Inet6Address) || GLOBAL_UNICAST.contains(address))
                && NOT_PUBLIC.stream().noneMatch(block -> block.contains(address));
    }

    /// Returns the IPv4 address from the last four bytes (RFC 6052, section 2.2).
    private static InetAddress behindNat64(InetAddress address) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(address.getAddress(), 12, 16));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }
}
