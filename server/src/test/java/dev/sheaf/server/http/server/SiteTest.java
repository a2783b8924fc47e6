package dev.sheaf.server.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SiteTest {
    private static final InetSocketAddress HERE = new InetSocketAddress("10.0.0.1", 8080);
    private final Site open = new Site(null, List.of("bundles.example.org", "a_b.internal:1"));

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
        assertThat(open.isHere(host, HERE)).isTrue();
        assertThat(open.baseUrl(host, HERE, false)).isEqualTo("http://" + host);
        assertThat(open.baseUrl(host, HERE, true)).isEqualTo("https://" + host);
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
        assertThat(open.isHere(host, HERE)).isFalse();
        assertThat(open.baseUrl(host, HERE, false)).isEqualTo("http://10.0.0.1:8080");
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
        assertThat(open.baseUrl(host, HERE, false)).isEqualTo("http://10.0.0.1:8080");
    }

    @Test
    void putsAnAddressOfIpv6InBrackets() {
        assertThat(Site.host("::1")).isEqualTo("[::1]");
        assertThat(Site.host("127.0.0.1")).isEqualTo("127.0.0.1");
        assertThat(Site.host("localhost")).isEqualTo("localhost");
        assertThat(open.baseUrl("", new InetSocketAddress("2001:db8::1", 80), false))
                .isEqualTo("http://[2001:db8:0:0:0:0:0:1]:80");
    }

    @Test
    void answersUnderTheConfiguredAddressWhateverTheHost() {
        var site = new Site("https://bundles.example.org", List.of());

        assertThat(site.isHere("evil.org", HERE)).isTrue();
        assertThat(site.baseUrl("evil.org", HERE, false)).isEqualTo("https://bundles.example.org");
    }
}
