package dev.sheaf.server.net;

import java.net.InetAddress;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// What the service lets itself be told to call. Looks no name up: what a name stands for is looked at where the
/// connection is made.
public final class Targets {
    private static final int FIRST_FREE_PORT = 1024;
    private static final int LAST_PORT = 65_535;
    private static final Set<Integer> WEB_PORTS = Set.of(80, 443);

    /// Above the privileged ones: databases, file systems, mail, telephony, chat. Something that takes any bytes for
    /// commands may listen there.
    private static final Set<Integer> OF_OTHERS = Set.of(
            2049, 2375, 2376, 2379, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6443, 6566, 6665, 6666, 6667,
            6668, 6669, 6679, 6697, 8500, 9200, 9300, 10080, 10250, 11211, 27017);

    /// A last label of digits, or hexadecimal: an address in one of the spellings that systems read differently,
    /// such as `0x7f.1` or `2130706433`.
    private static final Pattern NUMERIC = Pattern.compile("(?:.*\\.)?(?:[0-9]+|0[xX][0-9a-fA-F]*)\\.?");

    private static final Pattern DOTTED = Pattern.compile("(?:0|[1-9][0-9]{0,2})(?:\\.(?:0|[1-9][0-9]{0,2})){3}");

    private Targets() {}

    /// What speaks against an address, in words that go on from "the address"; empty where nothing does.
    public static Optional<String> objection(URI address, Reach reach) {
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
            return Optional.of("must be without a user name and a password");
        }
        if (address.getRawFragment() != null) {
            return Optional.of("must be without a fragment (#...)");
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
            return Optional.of("must not have the port " + port + ", which is another protocol's");
        }
        boolean isLiteral = host.startsWith("[") || DOTTED.matcher(host).matches();
        if (!isLiteral && NUMERIC.matcher(host).matches()) {
            return Optional.of("must have a host name, or an IP address as usual, such as 203.0.113.7");
        }
        return isLiteral && !isPublic(host)
                ? Optional.of(
                        "must be an address of the public internet; the operator of this installation allows others with the"
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
