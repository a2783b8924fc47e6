package dev.sheaf.client.api;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;

/// The address of a registry: scheme, host and port, nothing else. The API is below `/v1` and the OCI registry
/// below `/v2`. A credential for one address is never sent to another. Valid by construction.
///
/// @param scheme `http` or `https`
/// @param host lower case; an IPv6 address in brackets
/// @param port always explicit, even if it is the default of the scheme
public record RegistryUrl(String scheme, String host, int port) {
    /// The default address of `sheaf serve`.
    public static final RegistryUrl DEFAULT = new RegistryUrl("http", "127.0.0.1", 8080);

    /// `localhost` and other addresses of this machine, which do not need TLS.
    static final Pattern LOOPBACK =
            Pattern.compile("(?:localhost|127(?:\\.\\d{1,3}){3}|\\[::1])(?::\\d{1,5})?(?![^/])");

    private static final Pattern PATH = Pattern.compile("/*(?:v[12]/*)?");
    private static final int HTTPS_PORT = 443;
    private static final int HIGHEST_PORT = 65_535;

    public RegistryUrl {
        if (port < 1 || port > HIGHEST_PORT) {
            throw Problem.invalid(
                    "range", "the port of the registry address is " + port + "; it must be 1 to " + HIGHEST_PORT);
        }
    }

    /// Parses `http[s]://host[:port]`, with any number of slashes at the end, or with the path of an API: `/v1`,
    /// `/v2`. The default scheme is http for this machine and https for others.
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
            // reported below
        }
        if (path.matches("/.*[^/].*")) {
            throw Problem.invalid(
                    "format",
                    "the registry address " + Quoted.of(text) + " has a path, which is not allowed; leave out " + path);
        }
        throw Problem.invalid(
                "format",
                "the registry address " + Quoted.of(text)
                        + " must be http:// or https:// with a host and optionally a port, such as \"" + DEFAULT
                        + "\"");
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

    /// Returns the URI of `pathAndQuery`, which begins with `/` and is percent-encoded.
    public URI at(String pathAndQuery) {
        return URI.create(scheme + "://" + host + ":" + port + pathAndQuery);
    }

    /// Returns whether the URI has a valid port or no port.
    public static boolean hasPort(URI uri) {
        return uri.getPort() < 0 || (uri.getPort() > 0 && uri.getPort() <= HIGHEST_PORT);
    }

    /// Returns whether `uri` has this scheme, host and port.
    public boolean isOriginOf(URI uri) {
        return uri.getScheme() != null
                && uri.getHost() != null
                && uri.getScheme().equalsIgnoreCase(scheme)
                && uri.getHost().equalsIgnoreCase(host)
                && portOf(scheme, uri.getPort()) == port;
    }

    /// Returns `host[:port]`, the name of the keyring entry for the credential. Only the default port of https is
    /// left out, so that the key of `https://example.com` is never used for `http://example.com`.
    public String authority() {
        return scheme.equals("https") && port == HTTPS_PORT ? host : host + ":" + port;
    }

    /// Returns [#authority] as a folder name that every platform allows: `127.0.0.1_8080`.
    public String folderName() {
        return authority().replace("[", "").replace("]", "").replace(':', '_');
    }

    /// Returns the address for people, without the default port of the scheme.
    @Override
    public String toString() {
        return scheme + "://" + host + (port == portOf(scheme, -1) ? "" : ":" + port);
    }
}
