package dev.sheaf.client.network;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.key.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Selects the proxy for a request from the environment: `https_proxy` or `http_proxy` by the scheme of the
/// request, else `all_proxy`; `no_proxy` lists the hosts that are reached directly. Lower-case variables take
/// precedence over upper-case ones. Immutable.
public final class ProxyRules {
    private static final int DEFAULT_PORT = 1080; // as in curl
    private static final int HIGHEST_PORT = 65_535;

    private final Map<String, String> environment;
    private final NoProxy direct;

    /// A proxy and its credentials.
    ///
    /// @param variable the variable that names it
    /// @param login the value of `Proxy-Authorization`
    public record Via(
            String host,
            int port,
            String variable,
            @Nullable Secret login) {
        /// Returns the address for people, without the password.
        @Override
        public String toString() {
            return "http://" + host + ":" + port;
        }
    }

    ProxyRules(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
        this.direct = NoProxy.parse(named("no_proxy").map(Named::value).orElse(""));
    }

    private record Named(String variable, String value) {}

    /// Returns the proxy for requests to `uri`; empty if they go directly, or the environment names no proxy.
    ///
    /// @throws SheafException.Local if the proxy's address is malformed, or its kind is not supported
    Optional<Via> of(URI uri) {
        if (isDirect(uri)) {
            return Optional.empty();
        }
        return variable(String.valueOf(uri.getScheme())).map(ProxyRules::parse);
    }

    /// Returns whether the environment requires a direct connection to `uri`, even if a proxy is set.
    boolean isDirect(URI uri) {
        String host = String.valueOf(uri.getHost());
        return NoProxy.isLoopback(host) || direct.covers(host);
    }

    private Optional<Named> variable(String scheme) {
        String name = scheme.toLowerCase(Locale.ROOT) + "_proxy";
        // A web server passes a request's header "Proxy" to CGI programs as HTTP_PROXY (httpoxy, CVE-2016-5385).
        boolean fromRequest = environment.containsKey("REQUEST_METHOD") && name.equals("http_proxy");
        Optional<Named> own = fromRequest ? exactly(name) : named(name);
        return own.or(() -> named("all_proxy"));
    }

    private Optional<Named> named(String variable) {
        return exactly(variable).or(() -> exactly(variable.toUpperCase(Locale.ROOT)));
    }

    private Optional<Named> exactly(String variable) {
        String value = environment.getOrDefault(variable, "").strip();
        return value.isEmpty() ? Optional.empty() : Optional.of(new Named(variable, value));
    }

    /// Parses `[http://][user[:password]@]host[:port]`.
    private static Via parse(Named named) {
        String text = named.value().contains("://") ? named.value() : "http://" + named.value();
        try {
            var uri = new URI(text);
            if (uri.getHost() != null && "http".equalsIgnoreCase(uri.getScheme())) {
                int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
                if (port > HIGHEST_PORT) {
                    throw new IllegalArgumentException("the port is out of range");
                }
                return new Via(uri.getHost(), port, named.variable(), login(uri.getRawUserInfo()));
            }
        } catch (URISyntaxException | IllegalArgumentException e) {
            // reported below without the text, which may contain a password
        }
        throw new SheafException.Local(
                named.variable() + " is not a usable proxy: it must be [http://][user:password@]host[:port],"
                        + " with special characters of user and password written as %XX. Proxies that use TLS or SOCKS"
                        + " themselves are not supported. To use no proxy: no_proxy",
                null);
    }

    private static @Nullable Secret login(@Nullable String userInfo) {
        if (userInfo == null || userInfo.isEmpty()) {
            return null;
        }
        int colon = userInfo.indexOf(':');
        String user = decoded(colon < 0 ? userInfo : userInfo.substring(0, colon));
        String password = colon < 0 ? "" : decoded(userInfo.substring(colon + 1));
        byte[] bytes = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return Secret.of("Basic " + Base64.getEncoder().encodeToString(bytes));
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
