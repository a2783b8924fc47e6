package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.Pulled;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.RetryPolicy;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.client.network.NoProxy;
import dev.sheaf.client.testing.TestCertificate;
import dev.sheaf.client.testing.TinyProxy;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Reference;
import dev.sheaf.model.key.Secret;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Registries behind a proxy. The proxy's password is only sent to the proxy, and a key only to the registry.
class ProxyTest {
    private static final Reference KIT = Reference.parse("acme/kit:1.0.0");
    private static final String LOGIN =
            "Basic " + Base64.getEncoder().encodeToString("user:p@ss".getBytes(StandardCharsets.UTF_8));

    @TempDir
    Path folder;

    private final TinyRegistry registry = TinyRegistry.start("registry.test", null);
    private final List<Duration> waits = new ArrayList<>();

    @BeforeEach
    void publish() {
        publish(registry);
    }

    private static void publish(TinyRegistry to) {
        to.content.publish("acme/kit:1.0.0", Map.of("a.txt", new byte[1000]));
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private Pulled pull(TinyRegistry from, Map<String, String> environment) {
        return pull(from, NetworkSettings.of(environment, null));
    }

    private Pulled pull(TinyRegistry from, NetworkSettings network) {
        try (var client = SheafClient.of(from.url())
                .cache(folder.resolve("cache"))
                .network(network)
                .key(Secret.of(TinyRegistry.KEY))
                .pause(waits::add)
                .open()) {
            return client.pull(KIT);
        }
    }

    @Test
    void aRegistryIsReachedThroughItWithItsPassword() {
        registry.requireKey();
        try (var proxy = TinyProxy.start(LOGIN)) {
            var pulled = pull(registry, Map.of("http_proxy", "http://user:p%40ss@127.0.0.1:" + proxy.port()));

            assertThat(pulled.fetchedBytes()).isEqualTo(1000);
            assertThat(proxy.told()).isNotEmpty().allSatisfy(told -> {
                assertThat(told.line()).startsWith("GET " + registry.url() + "/v");
                assertThat(told.headers()).containsEntry("proxy-authorization", LOGIN);
            });
            assertThat(registry.requests(""))
                    .isNotEmpty()
                    .allSatisfy(seen -> assertThat(seen.headers()).doesNotContainKey("Proxy-Authorization"));
        }
    }

    @Test
    void aProxyOfTlsHearsNoKey() throws Exception {
        var certificate = TestCertificate.make(folder, "dns:secure.test");
        try (var secure = TinyRegistry.start("secure.test", certificate.server());
                var proxy = TinyProxy.start(null)) {
            publish(secure);
            secure.requireKey();

            pull(secure, NetworkSettings.of(Map.of("HTTPS_PROXY", "127.0.0.1:" + proxy.port()), certificate.pem()));

            assertThat(proxy.told()).isNotEmpty().allSatisfy(told -> {
                assertThat(told.line()).startsWith("CONNECT secure.test:");
                assertThat(told.headers()).doesNotContainKey("authorization");
            });
            assertThat(secure.requests("/blobs/")).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://user:wrong@127.0.0.1:", "http://127.0.0.1:"})
    void aRefusalNamesTheVariableAndNoPassword(String address) {
        try (var proxy = TinyProxy.start(LOGIN)) {
            assertThatThrownBy(() -> pull(registry, Map.of("http_proxy", address + proxy.port())))
                    .isInstanceOf(SheafException.Network.class)
                    .hasMessageContainingAll("127.0.0.1:" + proxy.port(), "http_proxy", "password")
                    .hasMessageNotContaining("wrong");

            assertThat(proxy.told()).hasSize(1);
            assertThat(registry.requests("")).isEmpty();
            assertThat(waits).isEmpty();
        }
    }

    @Test
    void aProxyThatIsAwayIsNamed() {
        int port;
        try (var proxy = TinyProxy.start(null)) {
            port = proxy.port();
        }

        assertThatThrownBy(() -> pull(registry, Map.of("all_proxy", "http://user:p%40ss@127.0.0.1:" + port)))
                .isInstanceOf(SheafException.Network.class)
                .hasMessageContainingAll("through the proxy http://127.0.0.1:" + port, "all_proxy")
                .hasMessageNotContaining("p@ss")
                .hasMessageNotContaining("p%40ss");
        assertThat(waits).hasSize(RetryPolicy.ATTEMPTS - 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"socks5://user:pass@host:1", "https://user:pass@host", "http://user:pa ss@host", "http://"})
    void aProxyThatCannotBeUsedIsNotPassedBySilently(String address) {
        assertThatThrownBy(() -> pull(registry, Map.of("http_proxy", address)))
                .isInstanceOf(SheafException.Local.class)
                .hasMessageContainingAll("http_proxy", "no_proxy")
                .hasMessageNotContaining("pass@")
                .hasMessageNotContaining("pa ss");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://127.0.0.1:8080", "http://localhost", "https://a.localhost", "https://[::1]:1"})
    void thisMachineIsReachedDirectly(String uri) {
        var network = NetworkSettings.of(Map.of("all_proxy", "http://user:p@proxy.test:1"), null);

        assertThat(network.proxy(URI.create(uri))).isEmpty();
        assertThat(network.proxyLogin(URI.create(uri))).isEmpty();
    }

    @Test
    void theVariableIsChosenByTheScheme() {
        var both = NetworkSettings.of(
                Map.of("http_proxy", "a.test", "HTTP_PROXY", "b.test:1", "HTTPS_PROXY", "http://c.test:3/"), null);
        assertThat(both.describedProxy(URI.create("http://x.test"))).contains("http://a.test:1080 (http_proxy)");
        assertThat(both.describedProxy(URI.create("https://x.test"))).contains("http://c.test:3 (HTTPS_PROXY)");

        var capital = Map.of("HTTP_PROXY", "b.test:1");
        assertThat(NetworkSettings.of(capital, null).proxy(URI.create("http://x.test")))
                .isPresent();
        var cgi = Map.of("HTTP_PROXY", "b.test:1", "REQUEST_METHOD", "GET");
        assertThat(NetworkSettings.of(cgi, null).proxy(URI.create("http://x.test")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "example.com            | example.com           | true",
                "example.com            | a.b.EXAMPLE.com       | true",
                ".example.com           | example.com           | true",
                "example.com.           | example.com           | true",
                "example.com            | example.com.          | true",
                "example.com            | notexample.com        | false",
                "example.com            | example.com.evil.test | false",
                "com                    | example.com           | true",
                "'a.test, b.test'       | b.test                | true",
                "'a.test b.test'        | b.test                | true",
                "*                      | anything.test         | true",
                "*.test                 | a.test                | false",
                "10.0.0.0/8             | 10.255.0.1            | true",
                "10.0.0.0/8             | 11.0.0.1              | false",
                "10.0.0.0/8             | 10.example.com        | false",
                "192.168.1.0/25         | 192.168.1.127         | true",
                "192.168.1.0/25         | 192.168.1.128         | false",
                "192.168.1.7            | 192.168.1.7           | true",
                "168.1.7                | 192.168.1.7           | false",
                "10.0.0.0/33            | 10.0.0.0              | false",
                "10.0.0.0/x             | 10.0.0.0              | false",
                "0.0.0.0/0              | 203.0.113.9           | true",
                "2001:db8::/32          | [2001:db8::1]         | true",
                "2001:db8::/32          | [2001:db9::1]         | false",
                "[2001:db8::1]          | [2001:db8:0::1]       | true",
                "10.0.0.0/8             | [2001:db8::1]         | false",
                "''                     | example.com           | false",
                "','                    | example.com           | false",
                "'.'                    | example.com           | false",
            })
    void noProxyIsReadAsCurlReadsIt(String list, String host, boolean covered) {
        assertThat(NoProxy.parse(list).covers(host)).isEqualTo(covered);
    }
}
