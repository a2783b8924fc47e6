package dev.sheaf.server.http.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.net.Cidr;
import dev.sheaf.model.Gen;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {
    private static final List<Cidr> PROXIES = List.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("2001:db8:ffff::/48"));
    private final ClientAddress common = new ClientAddress(PROXIES, false);
    private final ClientAddress standard = new ClientAddress(PROXIES, true);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
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
                "10.0.0.1    | unknown                          | ::", // the proxy does not know, so nobody does
                "10.0.0.1    | 203.0.113.9, unknown             | ::",
                "10.0.0.1    | 203.0.113.9, evil.example        | ::",
                "10.0.0.1    | 203.0.113.9, 300.1.1.1           | ::",
                "10.0.0.1    | 203.0.113.9, 10.2                | ::",
                "10.0.0.1    | 203.0.113.9, unknown, 10.2.3.4   | ::",
                "10.0.0.1    | _hidden                          | ::",
                "10.0.0.1    | 198.51.100.7,                    | ::",
                "10.0.0.1    | 0.0.0.0                          | ::",
                "10.0.0.1    | fe80::1%eth0                     | ::",
                "10.0.0.1    | 198.51.100.7:65536               | ::",
                "10.0.0.1    | [2001:db8::7                     | ::",
                "10.0.0.1    | \", 198.51.100.7                 | 198.51.100.7", // what a client sent, and its proxy
                "10.0.0.1    | \\\", 198.51.100.7               | 198.51.100.7",
                "10.0.0.1    | a\", \"b, 198.51.100.7           | 198.51.100.7",
                "10.0.0.1    | \", 198.51.100.7, 10.2.3.4       | 198.51.100.7",
                "10.0.0.1    | \"198.51.100.7\"                 | ::", // there is no quoting in this header
                "10.0.0.1    | \", 10.2.3.4                     | ::",
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
                "for=\"_hidden\";proto=https                              | ::           | true  | ``",
                "for=\"_hidden:_port\"                                   | ::           | ``    | ``",
                "for=unknown                                             | ::           | ``    | ``",
                "for=\"198.51.100.7:_port\"                              | 198.51.100.7 | ``    | ``",
                "for=\"\\1\\98.51.100.7\"                               | 198.51.100.7 | ``    | ``",
                "for = 198.51.100.7                                      | ::           | ``    | ``",
                "for=198.51.100.7;for=203.0.113.9                        | ::           | ``    | ``",
                "for=198.51.100.7;                                       | ::           | ``    | ``",
                "for=\"2001:db8::7\"                                      | ::           | ``    | ``",
                "for=\"198.51.100.7, for=203.0.113.9                      | 203.0.113.9  | ``    | ``",
                "for=203.0.113.9;by=\", for=198.51.100.7;proto=https      | 198.51.100.7 | true  | ``",
                "for=203.0.113.9;by=\"\\, for=\"[2001:db8::7]:1\"         | 2001:db8::7  | ``    | ``",
                "for=203.0.113.9;by=\"\\\", for=198.51.100.7             | 198.51.100.7 | ``    | ``",
                "for=203.0.113.9, for=\", for=10.2.3.4                    | ::           | ``    | ``",
                "for=203.0.113.9, x=\"a,b;for=1.2.3.4\\\"\";for=198.51.100.7 | 198.51.100.7 | ``    | ``",
                "\", for=\"198.51.100.7\"                                 | 198.51.100.7 | ``    | ``",
                "for=198.51.100.7;host=\"evil/path\"                      | 198.51.100.7 | ``    | ``",
                "by=10.0.0.1                                             | ::           | ``    | ``",
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

    /// Whatever a client sends: what its proxy appends to that, by a comma or as a line of its own, says who it is.
    @Test
    void nothingThatAClientSendsHidesWhatItsProxyAppends() {
        var junk = List.of("\"", "\\", ",", ";", "=", "for=", "for=\"", "by=\"\\", " ", "10.2.3.4", "[", "]", "_", "a");
        Gen.forAll(5_000, gen -> {
            var text = new StringBuilder();
            for (int i = gen.number(0, 12); i > 0; i--) {
                text.append(gen.of(junk));
            }
            for (var appended : List.of(List.of(text + ", %s"), List.of(text.toString(), "%s"))) {
                var plain = appended.stream()
                        .map(line -> line.replace("%s", "198.51.100.7"))
                        .toList();
                var quoted = appended.stream()
                        .map(line -> line.replace("%s", "for=\"[2001:db8::7]:4711\";proto=https"))
                        .toList();
                assertThat(seen(common, "10.0.0.1", Map.of("X-Forwarded-For", plain))
                                .address())
                        .isEqualTo(InetAddress.ofLiteral("198.51.100.7"));
                assertThat(seen(standard, "10.0.0.1", Map.of("Forwarded", quoted))
                                .address())
                        .isEqualTo(InetAddress.ofLiteral("2001:db8::7"));
            }
        });
    }

    @Test
    void longTextsAreReadAtOnce() {
        String escapes = "\\a".repeat(15_000);
        var header = Map.of("Forwarded", List.of("by=\"" + escapes + "\";for=198.51.100.7", "for=10.2.3.4"));

        assertThat(seen(standard, "10.0.0.1", header).address()).isEqualTo(InetAddress.ofLiteral("198.51.100.7"));
    }

    @Test
    void proxiesWithoutEndLeadToNobody() {
        var header = Map.of("X-Forwarded-For", List.of("198.51.100.7" + ", 10.2.3.4".repeat(40)));

        assertThat(seen(common, "10.0.0.1", header).address()).isEqualTo(InetAddress.ofLiteral("::"));
    }

    /// What a client adds on the left moves nothing: the scheme and host are counted from the right, too.
    @Test
    void theSchemeAndHostAreFoundFromTheRight() {
        var seen = seen(
                common,
                "10.0.0.1",
                Map.of(
                        "X-Forwarded-For",
                        List.of("\", a, 203.0.113.9, 198.51.100.7, 10.2.3.4"),
                        "X-Forwarded-Proto",
                        List.of("https, http"),
                        "X-Forwarded-Host",
                        List.of("\", evil.example, a.example, inner")));

        assertThat(seen.secure()).isTrue();
        assertThat(seen.host()).isEqualTo("a.example");
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

    private static ClientAddress.Seen seen(ClientAddress forwarding, String peer, Map<String, List<String>> headers) {
        return forwarding.seen(InetAddress.ofLiteral(peer), name -> headers.getOrDefault(name, List.of()));
    }
}
