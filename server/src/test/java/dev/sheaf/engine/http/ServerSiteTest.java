package dev.sheaf.engine.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.ProblemException;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerSiteTest {
    private static final InetSocketAddress HERE = new InetSocketAddress("10.0.0.1", 8080);
    private final ServerSite open = new ServerSite(null, List.of("bundles.example.org", "a_b.internal:1"));

    private static String baseUrl(ServerSite site, String host, boolean secure) {
        return site.baseUrl(host, () -> site.isKnown(host, HERE), HERE, secure);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LocalHost:8080",
                "bundles.example.org",
                "Bundles.example.org:8443",
                "a_b.internal:1",
                "10.0.0.1",
                "10.0.0.1:80",
                "127.0.0.1:8080",
                "[::1]:8080"
            })
    void answersUnderAHostOfItsOwn(String host) {
        assertThat(open.isKnown(host, HERE)).isTrue();
        assertThat(baseUrl(open, host, false)).isEqualTo("http://" + host);
        assertThat(baseUrl(open, host, true)).isEqualTo("https://" + host);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "localhost.evil.example",
                "localhost.",
                "evil.bundles.example.org",
                "bundles.example.org.",
                "a_b.internal",
                "a_b.internal:2",
                "10.0.0.2",
                "10.1",
                "167772161",
                "[2001:db8::1]",
                "0.0.0.0",
                "[::]:8080"
            })
    void answersUnderNoOther(String host) {
        assertThatThrownBy(() -> open.require(host, () -> open.isKnown(host, HERE)))
                .isInstanceOf(ProblemException.class);
        assertThat(baseUrl(open, host, false)).isEqualTo("http://10.0.0.1:8080");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a b",
                "a/b",
                "evil.org/x",
                "user@evil.org",
                "a\"b",
                "a>b",
                "a\r\nX: y",
                "a:b",
                "a:123456",
                "[::1",
                "é.org",
                "a?b",
                "a#b",
                "a\\b",
                "a,b"
            })
    void answersUnderItsOwnAddressWhereTheHostIsNone(String host) {
        assertThat(baseUrl(open, host, false)).isEqualTo("http://10.0.0.1:8080");
    }

    @Test
    void putsAnAddressOfIpv6InBrackets() {
        assertThat(ServerSite.host("::1")).isEqualTo("[::1]");
        assertThat(ServerSite.host("127.0.0.1")).isEqualTo("127.0.0.1");
        assertThat(ServerSite.host("localhost")).isEqualTo("localhost");
        assertThat(open.baseUrl("", () -> false, new InetSocketAddress("2001:db8::1", 80), false))
                .isEqualTo("http://[2001:db8:0:0:0:0:0:1]:80");
    }

    @Test
    void answersUnderTheConfiguredAddressWhateverTheHost() {
        var site = new ServerSite("https://bundles.example.org", List.of());

        site.require("evil.org", () -> false);
        assertThat(baseUrl(site, "evil.org", false)).isEqualTo("https://bundles.example.org");
    }
}
