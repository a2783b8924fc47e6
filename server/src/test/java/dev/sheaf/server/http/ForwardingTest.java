package dev.sheaf.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.model.Gen;
import dev.sheaf.server.auth.Cidr;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardingTest {
    private static final List<Cidr> PROXIES = List.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("2001:db8:ffff::/48"));
    private final Forwarding common = new Forwarding(PROXIES, false);
    private final Forwarding standard = new Forwarding(PROXIES, true);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                // the connection's peer | X-Forwarded-For              | the client
                "10.0.0.1    | 198.51.100.7                     | 198.51.100.7",
                "10.0.0.1    | 203.0.113.9, 198.51.100.7        | 198.51.100.7", // the left one is a lie
                "10.0.0.1    | 198.51.100.7, 10.2.3.4           | 198.51.100.7",
                "10.0.0.1    | 127.0.0.1, 198.51.100.7,10.2.3.4 | 198.51.100.7",
                "10.0.0.1    | 10.9.9.9, 10.2.3.4               | 10.9.9.9",
                "10.0.0.1    | 198.51.100.7:4711                | 198.51.100.7",
                "10.0.0.1    | [2001:db8::7]:4711               | 2001:db8::7",
                "10.0.0.1    | 2001:db8::7                      | 2001:db8::7",
                "10.0.0.1    | ::ffff:198.51.100.7              | 198.51.100.7",
                "2001:db8:ffff::1 | 198.51.100.7                | 198.51.100.7",
                "10.0.0.1    | unknown                          | 10.0.0.1",
                "10.0.0.1    | 203.0.113.9, unknown             | 10.0.0.1",
                "10.0.0.1    | 203.0.113.9, evil.example        | 10.0.0.1",
                "10.0.0.1    | 203.0.113.9, 300.1.1.1           | 10.0.0.1",
                "10.0.0.1    | 203.0.113.9, unknown, 10.2.3.4   | 10.2.3.4",
                "10.0.0.1    | 198.51.100.7,                    | 10.0.0.1",
                "10.0.0.1    | -                                | 10.0.0.1",
                "198.51.100.7| 203.0.113.9                      | 198.51.100.7",
                "198.51.100.7| 10.0.0.1                         | 198.51.100.7",
            })
    void findsTheNearestHopThatIsNoProxy(String peer, String header, String client) {
        var headers = header == null ? Map.<String, List<String>>of() : Map.of("X-Forwarded-For", List.of(header));

        assertThat(seen(common, peer, headers).address()).isEqualTo(InetAddress.ofLiteral(client));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "for=198.51.100.7;proto=https;host=a.example             | 198.51.100.7 | true  | a.example",
                "For=\"[2001:db8::7]:4711\";Proto=HTTPS;Host=\"a.example:8443\" | 2001:db8::7  | true  | a.example:8443",
                "for=203.0.113.9;host=evil, for=198.51.100.7;host=a.example;proto=http | 198.51.100.7 | false | a.example",
                "for=198.51.100.7;proto=https;host=a, for=10.2.3.4;proto=http;host=in  | 198.51.100.7 | true  | a",
                "for=\"_hidden\";proto=https                              | 10.0.0.1     | true  | ``",
                "for=\"198.51.100.7, for=203.0.113.9                      | 10.0.0.1     | ``    | ``",
                "for=198.51.100.7;host=\"evil/path\"                      | 198.51.100.7 | ``    | ``",
                "by=10.0.0.1                                             | 10.0.0.1     | ``    | ``",
            })
    void readsTheStandardHeader(String header, String client, String secure, String host) {
        var seen = seen(standard, "10.0.0.1", Map.of("Forwarded", List.of(header)));

        assertThat(seen.address()).isEqualTo(InetAddress.ofLiteral(client));
        assertThat(seen.secure() == null ? "" : seen.secure().toString()).isEqualTo(secure);
        assertThat(seen.host() == null ? "" : seen.host()).isEqualTo(host);
    }

    @Test
    void readsTheSchemeAndHostThatBelongToTheHop() {
        var seen = seen(
                common,
                "10.0.0.1",
                Map.of(
                        "X-Forwarded-For",
                        List.of("203.0.113.9, 198.51.100.7", "10.2.3.4"),
                        "X-Forwarded-Proto",
                        List.of("http, https, http"),
                        "X-Forwarded-Host",
                        List.of("a.example")));

        assertThat(seen.address()).isEqualTo(InetAddress.ofLiteral("198.51.100.7"));
        assertThat(seen.secure()).isTrue();
        assertThat(seen.host()).isEqualTo("a.example");
    }

    /// A header that the proxies do not write comes from the client.
    @Test
    void readsNoOtherHeaderThanTheOneThatProxiesWrite() {
        var both = Map.of("X-Forwarded-For", List.of("198.51.100.7"), "Forwarded", List.of("for=203.0.113.9;host=x"));

        assertThat(seen(common, "10.0.0.1", both).address()).isEqualTo(InetAddress.ofLiteral("198.51.100.7"));
        assertThat(seen(common, "10.0.0.1", both).host()).isNull();
        assertThat(seen(standard, "10.0.0.1", both).address()).isEqualTo(InetAddress.ofLiteral("203.0.113.9"));
    }

    @Test
    void noHeaderFailsARequest() {
        var junk = List.of(
                "", ",", ";", "\"", "=", "for=", "for=\"", "[", "[::", "::::::", "1.2.3.4", "::1", "%", "\u0000", "é",
                "a");
        Gen.forAll(2_000, gen -> {
            var text = new StringBuilder();
            for (int i = gen.number(0, 40); i > 0; i--) {
                text.append(gen.of(junk));
            }
            var headers = Map.of(
                    "X-Forwarded-For", List.of(text.toString()),
                    "X-Forwarded-Proto", List.of(text.toString()),
                    "X-Forwarded-Host", List.of(text.toString()),
                    "Forwarded", List.of(text.toString()));
            assertThat(seen(common, "10.0.0.1", headers).address()).isNotNull();
            assertThat(seen(standard, "10.0.0.1", headers).address()).isNotNull();
        });
    }

    private static Forwarding.Seen seen(Forwarding forwarding, String peer, Map<String, List<String>> headers) {
        return forwarding.seen(InetAddress.ofLiteral(peer), name -> headers.getOrDefault(name, List.of()));
    }
}
