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

/// Where the service is reached, which answers name: in URLs, references and challenges. A name that only a request
/// gives is never among it, or whoever makes others send it (a page, a cache, a link) leads their clients away.
///
/// @param publicUrl the configured address without a trailing slash; null: each caller is answered with the host
/// it used, if that is one of this service
/// @param hosts those that are, besides the addresses of connections: `host`, or `host:port`, in lower case
public record Site(@Nullable String publicUrl, List<String> hosts) {
    private static final Pattern HOST =
            Pattern.compile("([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(?::(\\d{1,5}))?");

    public Site {
        hosts = List.copyOf(hosts);
    }

    /// An address as it stands in a URL: that of IPv6 in brackets (RFC 3986, section 3.2.2).
    public static String host(String address) {
        return address.indexOf(':') < 0 ? address : "[" + address + "]";
    }

    /// Whether the configured address is one of TLS.
    public boolean isSecure() {
        return publicUrl != null && publicUrl.startsWith("https:");
    }

    /// Whether a URL leads to the machine itself, so that nothing of it crosses a network.
    public static boolean isLoopback(String url) {
        var matcher = HOST.matcher(url.substring(url.indexOf("//") + 2));
        return matcher.matches()
                && (matcher.group(1).equalsIgnoreCase("localhost")
                        || literal(matcher.group(1))
                                .filter(InetAddress::isLoopbackAddress)
                                .isPresent());
    }

    /// Whether the text is `host[:port]` and nothing else.
    public static boolean isHost(String text) {
        return HOST.matcher(text).matches();
    }

    /// Whether a request for that host is one for this service: always where its address is configured, which then
    /// is what answers name, and where no host is given.
    ///
    /// @param here where the connection came in
    boolean isHere(String host, InetSocketAddress here) {
        return publicUrl != null || host.isEmpty() || isKnown(host, here);
    }

    /// Whether the host is one by which this service is known, also where its address is configured: a page in
    /// somebody's browser reaches it by any other name, too, whose owner gives it this address.
    ///
    /// @param here where the connection came in
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

    /// @param here where the connection came in
    /// @throws dev.sheaf.model.ProblemException misdirected where the host is not one of this service
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
            return bracketed || text(address).equals(name) ? Optional.of(address) : Optional.empty(); // no "127.1"
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /// The service's address for whoever asked for that host.
    ///
    /// @param here where the connection came in, which stands in for a host that is not of this service
    public String baseUrl(String host, InetSocketAddress here, boolean secure) {
        if (publicUrl != null) {
            return publicUrl;
        }
        return (secure ? "https://" : "http://")
                + (isHost(host) && isHere(host, here) ? host : host(text(here.getAddress())) + ":" + here.getPort());
    }

    /// Without the scope of a link-local address, which means nothing elsewhere.
    private static String text(InetAddress address) {
        return address.getHostAddress().replaceFirst("%.*", "");
    }
}
