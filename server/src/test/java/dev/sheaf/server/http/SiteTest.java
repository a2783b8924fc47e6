package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SiteTest {
    private final Site open = new Site(Optional.empty(), "127.0.0.1:8080");

    @ParameterizedTest
    @ValueSource(strings = {"localhost:8080", "bundles.example.org", "10.0.0.1", "[::1]:8080", "a_b.internal:1"})
    void answersUnderTheHostThatWasUsed(String host) {
        assertThat(open.baseUrl(host, false)).isEqualTo("http://" + host);
        assertThat(open.baseUrl(host, true)).isEqualTo("https://" + host);
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
        assertThat(open.baseUrl(host, false)).isEqualTo("http://127.0.0.1:8080");
    }

    @Test
    void putsAnAddressOfIpv6InBrackets() {
        assertThat(Site.host("::1")).isEqualTo("[::1]");
        assertThat(Site.host("127.0.0.1")).isEqualTo("127.0.0.1");
        assertThat(Site.host("localhost")).isEqualTo("localhost");
    }

    @Test
    void answersUnderTheConfiguredAddressWhateverTheHost() {
        var site = new Site(Optional.of("https://bundles.example.org"), "127.0.0.1:8080");

        assertThat(site.baseUrl("evil.org", false)).isEqualTo("https://bundles.example.org");
    }
}
