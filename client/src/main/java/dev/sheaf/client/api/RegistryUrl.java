package dev.sheaf.client.api;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;

/// The address of a registry: scheme, host and port, nothing else. The API stands below `/v1` and the OCI registry
/// below `/v2`, and a credential for one address is never sent to another. Valid by construction.
///
/// @param scheme `http` or `https`
/// @param host lower case; an IPv6 address in brackets
/// @param port always explicit, also where the scheme implies it
public record RegistryUrl(String scheme, String host, int port) {
    /// Where `sheaf serve` listens unless told otherwise.
    public static final RegistryUrl DEFAULT = new RegistryUrl("http", "127.0.0.1", 8080);

    /// `localhost` and the addresses of this machine, of which none needs TLS.
    static final Pattern LOOPBACK =
            Pattern.compile("(?:localhost|127(?:\\.\\d{1,3}){3}|\\[::1])(?::\\d{1,5})?(?![^/])");

    private static final Pattern PATH = Pattern.compile("/*(?:v[12]/*)?");
    private static final int HTTPS_PORT = 443;
    private static final int HIGHEST_PORT = 65_535;

    public RegistryUrl {
        if (port < 1 || port > HIGHEST_PORT) {
            throw Problem.invalid(
                    "range", "the registry address has the port " + port + "; ports are 1 to " + HIGHEST_PORT);
        }
    }

    /// Reads `http[s]://host[:port]`, with any number of slashes behind it, or the path of an API: `/v1`, `/v2`.
    /// Without a scheme, this machine is reached by http and any other by https.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed for anything else
    public static RegistryUrl parse(String text) {
        String path = "";
        try {
            var uri = new URI(withScheme(text.strip()));
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            path = uri.getRawPath() == null ? "" : uri.getRawPath();
            if ((scheme.equals("http") || scheme.equals("https"))
                    && uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && PATH.matcher(path).matches()) {
                return new RegistryUrl(scheme, uri.getHost().toLowerCase(Locale.ROOT), portOf(scheme, uri.getPort()));
            }
        } catch (URISyntaxException e) {
            // said below
        }
        if (path.matches("/.*[^/].*")) {
            throw Problem.invalid(
                    "format",
                    "the registry address " + Quoted.of(text)
                            + " has a path; a registry is the whole host, so leave out " + path);
        }
        throw Problem.invalid(
                "format",
                "the registry address " + Quoted.of(text)
                        + " must be http:// or https:// with a host and perhaps a port, such as \"" + DEFAULT + "\"");
    }

    private static String withScheme(String text) {
        if (text.contains("://")) {
            return text;
        }
        return (LOOPBACK.matcher(text).lookingAt() ? "http://" : "https://") + text;
    }

    private static int portOf(String scheme, int port) {
        if (port >= 0) {
            return port;
        }
        return scheme.equals("https") ? HTTPS_PORT : 80;
    }

    /// The address of `pathAndQuery`, which begins with `/` and is percent-encoded.
    public URI at(String pathAndQuery) {
        return URI.create(scheme + "://" + host + ":" + port + pathAndQuery);
    }

    /// Whether the address has a port that there can be, or none.
    public static boolean hasPort(URI uri) {
        return uri.getPort() < 0 || (uri.getPort() > 0 && uri.getPort() <= HIGHEST_PORT);
    }

    /// Whether `uri` is on this scheme, host and port.
    public boolean isOriginOf(URI uri) {
        return uri.getScheme() != null
                && uri.getHost() != null
                && uri.getScheme().equalsIgnoreCase(scheme)
                && uri.getHost().equalsIgnoreCase(host)
                && portOf(scheme, uri.getPort()) == port;
    }

    /// `host[:port]`, the name under which a keyring holds the credential. Only the port of https is left out, so
    /// that the key of `https://example.com` is never taken for `http://example.com`.
    public String authority() {
        return scheme.equals("https") && port == HTTPS_PORT ? host : host + ":" + port;
    }

    /// [#authority] as a folder name on every platform: `127.0.0.1_8080`.
    public String folderName() {
        return authority().replace("[", "").replace("]", "").replace(':', '_');
    }

    /// The address as people write it, without the port that the scheme implies.
    @Override
    public String toString() {
        return scheme + "://" + host + (port == portOf(scheme, -1) ? "" : ":" + port);
    }
}
