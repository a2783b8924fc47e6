package dev.sheaf.engine.http;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The addresses of this server, as used in URLs, references and challenges. A host that is known only from a
/// request is never used: an attacker could make other clients send it, by a page, a cache or a link, and so
/// redirect them.
///
/// @param publicUrl the configured address without a trailing slash; null to answer each caller with the host
/// that it used, if that host is known
/// @param hosts the known hosts besides local addresses: `host` or `host:port`, in lower case
public record ServerSite(@Nullable String publicUrl, List<String> hosts) {
    private static final Pattern HOST =
            Pattern.compile("([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(?::(\\d{1,5}))?");

    public ServerSite {
        hosts = List.copyOf(hosts);
    }

    /// Returns an address as written in URLs: IPv6 in brackets (RFC 3986, section 3.2.2).
    public static String host(String address) {
        return address.indexOf(':') < 0 ? address : "[" + address + "]";
    }

    /// Returns whether the configured address uses TLS.
    public boolean isSecure() {
        return publicUrl != null && publicUrl.startsWith("https:");
    }

    /// Returns whether a URL leads to this machine itself, not across a network.
    public static boolean isLoopback(String url) {
        var matcher = HOST.matcher(url.substring(url.indexOf("//") + 2));
        return matcher.matches()
                && (matcher.group(1).equalsIgnoreCase("localhost")
                        || literal(matcher.group(1))
                                .filter(InetAddress::isLoopbackAddress)
                                .isPresent());
    }

    /// Returns whether the text is `host[:port]` and nothing else.
    public static boolean isHost(String text) {
        return HOST.matcher(text).matches();
    }

    /// Returns whether the host is known, even if an address is configured. A page in a browser could use any
    /// foreign name whose owner points it to this server.
    ///
    /// @param here the local address of the connection
    public boolean isKnown(String host, InetSocketAddress here) {
        if (host.equals(host(text(here.getAddress())) + ":" + here.getPort())) {
            return true; // as most programs on this machine say it
        }
        var matcher = HOST.matcher(host);
        if (!matcher.matches()) {
            return false;
        }
        String name = matcher.group(1).toLowerCase(Locale.ROOT);
        if (publicUrl != null && host.equalsIgnoreCase(URI.create(publicUrl).getAuthority())) {
            return true;
        }
        return name.equals("localhost")
                || hosts.contains(name)
                || hosts.contains(host.toLowerCase(Locale.ROOT))
                || literal(name)
                        .filter(address -> address.isLoopbackAddress() || address.equals(here.getAddress()))
                        .isPresent();
    }

    /// Refuses a host that is not known. Everything is accepted without a host, or if an address is configured,
    /// because answers then use that address.
    ///
    /// @param known whether the host is known ([#isKnown]); asked only if it matters
    /// @throws dev.sheaf.model.ProblemException misdirected
    public void require(String host, BooleanSupplier known) {
        if (publicUrl == null && !host.isEmpty() && !known.getAsBoolean()) {
            throw new Problem.Misdirected(
                            host,
                            "this registry does not accept requests for the host " + Quoted.of(host)
                                    + "; its operator can add the host to the setting allowed-hosts, or set public-url")
                    .raise();
        }
    }

    private static Optional<InetAddress> literal(String name) {
        boolean bracketed = name.startsWith("[");
        try {
            var address = InetAddress.ofLiteral(bracketed ? name.substring(1, name.length() - 1) : name);
            // excludes short forms such as "127.1"
            return bracketed || text(address).equals(name) ? Optional.of(address) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// Returns the base URL for a caller that asked for the host.
    ///
    /// @param known whether the host is known ([#isKnown]); asked only if it matters
    /// @param here the local address of the connection, used if the host is not known
    public String baseUrl(String host, BooleanSupplier known, InetSocketAddress here, boolean secure) {
        if (publicUrl != null) {
            return publicUrl;
        }
        return (secure ? "https://" : "http://")
                + (known.getAsBoolean() ? host : host(text(here.getAddress())) + ":" + here.getPort());
    }

    /// Returns the address without the scope of a link-local address, which is valid only on this machine.
    private static String text(InetAddress address) {
        String text = address.getHostAddress();
        int scope = text.indexOf('%');
        return scope < 0 ? text : text.substring(0, scope);
    }
}
