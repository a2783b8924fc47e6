package dev.sheaf.engine.net;

import java.net.InetAddress;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Decides which URLs this server may call. Names are not looked up here; their addresses are checked when the
/// connection is made.
public final class TargetPolicy {
    private static final int FIRST_FREE_PORT = 1024;
    private static final int LAST_PORT = 65_535;
    private static final Set<Integer> WEB_PORTS = Set.of(80, 443);

    /// Unprivileged ports of databases, file systems, mail, telephony and chat. A server on such a port may
    /// interpret the request as commands.
    private static final Set<Integer> OF_OTHERS = Set.of(
            2049, 2375, 2376, 2379, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6443, 6566, 6665, 6666, 6667,
            6668, 6669, 6679, 6697, 8500, 9200, 9300, 10080, 10250, 11211, 27017);

    /// Matches numeric spellings of addresses that systems read differently, such as `0x7f.1` or `2130706433`.
    private static final Pattern NUMERIC = Pattern.compile("(?:.*\\.)?(?:[0-9]+|0[xX][0-9a-fA-F]*)\\.?");

    private static final Pattern DOTTED = Pattern.compile("(?:0|[1-9][0-9]{0,2})(?:\\.(?:0|[1-9][0-9]{0,2})){3}");

    private TargetPolicy() {}

    /// Returns the objection to an address, as a text that continues "the address"; empty if there is none.
    public static Optional<String> objection(URI address, AllowedTargets reach) {
        String scheme = address.getScheme();
        boolean plain = "http".equalsIgnoreCase(scheme);
        String host = address.getHost();
        if (!plain && !"https".equalsIgnoreCase(scheme)) {
            return Optional.of("must begin with https://");
        }
        if (host == null || host.isEmpty()) {
            return Optional.of("must have a host, such as hooks.example.org");
        }
        if (address.getRawUserInfo() != null) {
            return Optional.of("must not contain a user name or a password");
        }
        if (address.getRawFragment() != null) {
            return Optional.of("must not contain a fragment (#...)");
        }
        if (plain && !reach.plain()) {
            return Optional.of(
                    "must begin with https://; the operator of this installation allows http:// with the setting webhook-http");
        }
        if (address.getPort() == 0 || address.getPort() > LAST_PORT) {
            return Optional.of("must have a port from 1 to " + LAST_PORT);
        }
        return reach.inside() ? Optional.empty() : fromOutside(host, address.getPort());
    }

    private static Optional<String> fromOutside(String host, int port) {
        if (port > 0 && port < FIRST_FREE_PORT && !WEB_PORTS.contains(port) || OF_OTHERS.contains(port)) {
            return Optional.of("must not have the port " + port + ", which another protocol uses");
        }
        boolean isLiteral = host.startsWith("[") || DOTTED.matcher(host).matches();
        if (!isLiteral && NUMERIC.matcher(host).matches()) {
            return Optional.of("must have a host name, or an IP address in the usual form, such as 203.0.113.7");
        }
        return isLiteral && !isPublic(host)
                ? Optional.of(
                        "must be an address on the public internet; the operator of this installation allows others with the"
                                + " setting webhook-private-addresses")
                : Optional.empty();
    }

    private static boolean isPublic(String literal) {
        try {
            return PublicAddresses.contains(InetAddress.ofLiteral(literal));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
