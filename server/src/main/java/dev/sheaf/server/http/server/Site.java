package dev.sheaf.server.http.server;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The addresses of the service, as used in URLs, references and challenges. A name that only a request gives is
/// never used: otherwise an attacker who makes others send it (by a page, a cache, a link) could lead their
/// clients away.
///
/// @param publicUrl the configured address without a trailing slash; null to answer each caller with the host that
/// it used, if that is one of this service
/// @param hosts the hosts of this service besides local addresses: `host` or `host:port`, in lower case
public record Site(@Nullable String publicUrl, List<String> hosts) {
    private static final Pattern HOST =
            Pattern.compile("([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(?::(\\d{1,5}))?");

    public Site {
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

    /// Returns whether a URL leads to this machine itself, so that nothing crosses a network.
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

    /// Returns whether a request for the host is for this service. Always true if an address is configured,
    /// because answers then use that one, or if no host is given.
    ///
    /// @param here the local address of the connection
    boolean isHere(String host, InetSocketAddress here) {
        return publicUrl != null || host.isEmpty() || isKnown(host, here);
    }

    /// Returns whether the host is a known one of this service, even if an address is configured: a page in a
    /// browser can reach the service by any other name whose owner points it to this address.
    ///
    /// @param here the local address of the connection
    public boolean isKnown(String host, InetSocketAddress here) {
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

    /// @param here the local address of the connection
    /// @throws dev.sheaf.model.ProblemException misdirected if the host is not one of this service
    public void require(String host, InetSocketAddress here) {
        if (!isHere(host, here)) {
            throw new Problem.Misdirected(
                            host,
                            "this service is not known as " + Quoted.of(host) + "; whoever runs it names its hosts in"
                                    + " the setting allowed-hosts, or its one address in public-url")
                    .raise();
        }
    }

    private static Optional<InetAddress> literal(String name) {
        boolean bracketed = name.startsWith("[");
        try {
            var address = InetAddress.ofLiteral(bracketed ? name.substring(1, name.length() - 1) : name);
            // excludes "127.1"
            return bracketed || text(address).equals(name) ? Optional.of(address) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// Returns the base URL for a caller that asked for the host.
    ///
    /// @param here the local address of the connection, used if the host is not one of this service
    public String baseUrl(String host, InetSocketAddress here, boolean secure) {
        if (publicUrl != null) {
            return publicUrl;
        }
        return (secure ? "https://" : "http://")
                + (isHost(host) && isHere(host, here) ? host : host(text(here.getAddress())) + ":" + here.getPort());
    }

    /// Returns the address without the scope of a link-local one, which means nothing on other machines.
    private static String text(InetAddress address) {
        return address.getHostAddress().replaceFirst("%.*", "");
    }
}
