package dev.sheaf.client.network;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// The list in `no_proxy`, with curl's rules. Commas or spaces separate the entries: a name, with or without a
/// leading dot, which covers itself and its subdomains; an address; a range of addresses such as `10.0.0.0/8`;
/// or `*` for everything. Names are never resolved, so a range only matches hosts that are written as
/// addresses. Immutable.
public record NoProxy(List<String> entries) {
    private static final String BYTE = "(?:25[0-5]|2[0-4]\\d|[01]?\\d?\\d)";
    private static final Pattern V4 = Pattern.compile(BYTE + "(?:\\." + BYTE + "){3}");

    public NoProxy {
        entries = List.copyOf(entries);
    }

    /// Parses a list such as `localhost,.example.com`.
    public static NoProxy parse(String list) {
        return new NoProxy(Arrays.stream(list.split("[,\\s]+"))
                .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
                .filter(entry -> !entry.isEmpty())
                .toList());
    }

    /// Returns whether the host is this machine. A proxy on another machine cannot reach it under these names,
    /// and should not see the traffic.
    public static boolean isLoopback(String host) {
        String name = bare(host);
        return name.equals("localhost")
                || name.endsWith(".localhost") // RFC 6761, section 6.3
                || address(name).filter(InetAddress::isLoopbackAddress).isPresent();
    }

    /// Returns whether this host is reached without a proxy.
    public boolean covers(String host) {
        String name = bare(host);
        var address = address(name);
        return entries.stream()
                .anyMatch(entry ->
                        entry.equals("*") || (address.isPresent() ? holds(entry, address.get()) : covers(entry, name)));
    }

    private static boolean covers(String entry, String name) {
        String domain = withoutEndDot(entry.startsWith(".") ? entry.substring(1) : entry);
        return !domain.isEmpty() && (name.equals(domain) || name.endsWith("." + domain));
    }

    /// Returns whether the entry is this address, or a range (RFC 4632) that contains it.
    private static boolean holds(String entry, InetAddress address) {
        int slash = entry.indexOf('/');
        var network = address(bare(slash < 0 ? entry : entry.substring(0, slash)));
        if (network.isEmpty() || network.get().getAddress().length != address.getAddress().length) {
            return false;
        }
        int all = address.getAddress().length * Byte.SIZE;
        int bits = slash < 0 ? all : bits(entry.substring(slash + 1));
        if (bits < 0 || bits > all) {
            return false;
        }
        return number(network.get())
                .shiftRight(all - bits)
                .equals(number(address).shiftRight(all - bits));
    }

    private static BigInteger number(InetAddress address) {
        return new BigInteger(1, address.getAddress());
    }

    private static int bits(String text) {
        return text.matches("\\d{1,3}") ? Integer.parseInt(text) : -1;
    }

    /// Returns the host in lower case, without the brackets of an IPv6 address or the dot that ends a full name.
    private static String bare(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        if (name.startsWith("[") && name.endsWith("]")) {
            return name.substring(1, name.length() - 1);
        }
        return withoutEndDot(name);
    }

    private static String withoutEndDot(String name) {
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /// Parses an address. Does not resolve names: what has a colon, or is four bytes, is never looked up.
    private static Optional<InetAddress> address(String text) {
        if (!V4.matcher(text).matches() && text.indexOf(':') < 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(text));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }
}
