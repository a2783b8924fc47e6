package dev.sheaf.client.network;

import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// The network settings for a registry: proxies and trusted certificate authorities. Immutable and thread-safe.
///
/// Proxies come from the variables `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`, in lower or upper
/// case. If these set no proxy, Java's own settings such as `-Dhttps.proxyHost` apply. `localhost` and the
/// addresses of this machine are always reached directly. The trusted certificate authorities are Java's own, the
/// system's (`SSL_CERT_FILE` names another file of them), and the ones in a PEM file. With `-Djavax.net.ssl.trustStore`
/// or `-Djavax.net.ssl.keyStore`, Java's own settings replace the first two.
public final class NetworkSettings {
    /// The variable with the path of a PEM file of certificate authorities.
    public static final String CA_VARIABLE = "SHEAF_CA_FILE";

    /// The JDK only sends a proxy password for a tunnel, which https needs, if this property is set to the
    /// empty string before the first request.
    private static final String NO_TUNNEL_LOGIN = "jdk.http.auth.tunneling.disabledSchemes";

    private final ProxyRules proxies;
    private final @Nullable Path authorities;
    private final Map<String, String> environment;

    private NetworkSettings(Map<String, String> environment, @Nullable Path authorities) {
        this.proxies = new ProxyRules(environment);
        this.authorities = authorities;
        this.environment = Map.copyOf(environment);
    }

    /// Returns the settings of a user with this environment.
    ///
    /// @param authorities a PEM file, which overrides `SHEAF_CA_FILE`; null to use the file that the variable
    /// names, if it is set. The file is read when a client opens
    public static NetworkSettings of(Map<String, String> environment, @Nullable Path authorities) {
        String variable = environment.getOrDefault(CA_VARIABLE, "");
        boolean named = authorities == null && !variable.isBlank();
        return new NetworkSettings(environment, named ? Path.of(variable) : authorities);
    }

    /// Returns the settings of the user who runs this process.
    public static NetworkSettings ofThisUser() {
        return of(System.getenv(), null);
    }

    /// Returns the PEM file of certificate authorities; empty if none is named.
    public Optional<Path> authorities() {
        return Optional.ofNullable(authorities);
    }

    /// Returns the environment's proxy for `uri`.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Local if it is unusable
    public Optional<ProxyRules.Via> proxy(URI uri) {
        return proxies.of(uri);
    }

    /// Describes the proxy for `uri`, from any source, for people; empty if the connection is direct.
    public Optional<String> describedProxy(URI uri) {
        return proxy(uri)
                .map(via -> via + " (" + via.variable() + ")")
                .or(() -> javaProxies(uri).stream()
                        .filter(proxy -> proxy.type() == Proxy.Type.HTTP)
                        .map(proxy -> proxy.address() + " (Java's settings)")
                        .findFirst());
    }

    /// Returns the value of `Proxy-Authorization` for a request to `uri`.
    public Optional<Secret> proxyLogin(URI uri) {
        return proxy(uri).map(ProxyRules.Via::login);
    }

    /// Returns a builder for an HTTP client with these settings. The client does not follow redirects and does
    /// not send credentials by itself.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Local if the PEM file or the proxy is unusable
    public HttpClient.Builder clientBuilder(URI registry) {
        if (proxyLogin(registry).isPresent() && System.getProperty(NO_TUNNEL_LOGIN) == null) {
            System.setProperty(NO_TUNNEL_LOGIN, "");
        }
        var others = authorities == null ? List.<X509Certificate>of() : CertificateAuthorities.read(authorities);
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(Duration.ofSeconds(10))
                .proxy(new Selector())
                .sslContext(LazyTls.context(() -> tls(others)));
    }

    private SSLContext tls(List<X509Certificate> others) {
        boolean javas = System.getProperty("javax.net.ssl.trustStore") != null
                || System.getProperty("javax.net.ssl.keyStore") != null;
        if (!javas) {
            return CertificateAuthorities.trusting(others, SystemAuthorities.of(environment));
        }
        try {
            return others.isEmpty()
                    ? SSLContext.getDefault()
                    : CertificateAuthorities.trusting(others, SystemAuthorities.NONE);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no TLS", e);
        }
    }

    /// Returns the file of the system's authorities that the environment names and that cannot be read.
    public Optional<Path> unreadableSystemFile() {
        return SystemAuthorities.named(environment).filter(file -> !Files.isReadable(file));
    }

    private List<Proxy> javaProxies(URI uri) {
        var selector = ProxySelector.getDefault();
        return selector == null || proxies.isDirect(uri) ? List.of(Proxy.NO_PROXY) : selector.select(uri);
    }

    private final class Selector extends ProxySelector {
        @Override
        public List<Proxy> select(URI uri) {
            return proxy(uri)
                    .map(via -> List.of(
                            new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(via.host(), via.port()))))
                    .orElseGet(() -> javaProxies(uri));
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException failure) {
            // there is no other proxy to select
        }
    }
}
