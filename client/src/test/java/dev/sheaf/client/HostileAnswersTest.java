package dev.sheaf.client;

import static dev.sheaf.client.testing.RawServer.ascii;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.http.RetryPolicy;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.client.testing.RawServer;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Malformed responses. Each causes the right kind of failure in limited time, and uses no more memory than a
/// valid response may need.
@Timeout(60)
class HostileAnswersTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

    @TempDir
    Path folder;

    private final List<Duration> waits = new ArrayList<>();

    private AbstractThrowableAssert<?, ?> asked(RegistryUrl url) {
        return asked(url, Duration.ofSeconds(30));
    }

    private AbstractThrowableAssert<?, ?> asked(RegistryUrl url, Duration silence) {
        return assertThatThrownBy(() -> {
                    try (var client = SheafClient.of(url)
                            .cache(folder.resolve("cache"))
                            .key(Secret.of(TinyRegistry.KEY))
                            .pause(waits::add)
                            .silence(silence)
                            .open()) {
                        client.whoAmI();
                    }
                })
                .hasMessageNotContaining(TinyRegistry.KEY);
    }

    @Test
    void headersWithoutEndAreCut() {
        try (var server = RawServer.start(out -> {
            out.write(ascii("HTTP/1.1 200 OK\r\n"));
            while (true) {
                out.write(ascii("X-More: " + "x".repeat(8000) + "\r\n"));
            }
        })) {
            asked(server.url())
                    .isInstanceOf(SheafException.Server.class)
                    .hasMessageContaining("or one that is too long");
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aHeaderWithoutEndIsCut() {
        try (var server = RawServer.start(out -> {
            out.write(ascii("HTTP/1.1 200 OK\r\nX-Long: "));
            while (true) {
                out.write(ascii("x".repeat(8000)));
            }
        })) {
            asked(server.url()).isInstanceOf(SheafException.Server.class);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH_9.6\r\n",
                "HTTP/9.9 999 What\r\n\r\n",
                "\u0015\u0003\u0001\u0000\u0002\u0002\u0050"
            })
    void whatIsNoHttpIsAFailureOfTheRegistryOrTheWay(String greeting) {
        try (var server = RawServer.start(out -> out.write(ascii(greeting)))) {
            asked(server.url())
                    .isInstanceOfAny(SheafException.Server.class, SheafException.Network.class)
                    .hasMessageContaining(server.url().toString());
            assertThat(server.connections()).isLessThanOrEqualTo(RetryPolicy.ATTEMPTS + 1); // one more to probe for TLS
        }
    }

    @Test
    void aBodyThatDripsIsCut() {
        try (var server = RawServer.start(out -> {
            out.write(ascii(OK + "Content-Length: 1000000\r\n\r\n{\"credentialType\": \""));
            while (true) {
                out.write('x');
                out.flush();
                Thread.sleep(20);
            }
        })) {
            asked(server.url(), Duration.ofMillis(500)).isInstanceOf(SheafException.Network.class);
            assertThat(server.connections()).isEqualTo(RetryPolicy.ATTEMPTS);
        }
    }

    /// By default two attempts of at most 15 s each.
    @Test
    void aHeadThatDripsIsCut() {
        try (var server = RawServer.start(out -> {
                    out.write(ascii("HTTP/1.1 200 OK\r\n"));
                    while (true) {
                        out.write(ascii("X-More: x\r\n"));
                        out.flush();
                        Thread.sleep(20);
                    }
                });
                var transport = new RegistryTransport(
                        server.url(),
                        null,
                        NetworkSettings.of(Map.of(), null),
                        new RetryPolicy((failure, wait) -> waits.add(wait)),
                        RegistryTransport.SILENCE)) {
            var call = HttpCall.get(server.url().at("/v1/me"));
            assertThat(call.patience()).isEqualTo(Duration.ofSeconds(15));

            assertThatThrownBy(() -> transport.bytes(call.answeredWithin(Duration.ofMillis(300)), 100))
                    .isInstanceOf(SheafException.Network.class)
                    .hasMessageContaining("did not answer in time");

            assertThat(server.connections()).isEqualTo(RetryPolicy.SLOW_ATTEMPTS);
        }
    }

    @Test
    void jsonThatOnlyOpensIsNoJson() {
        try (var server = RawServer.start(out -> {
            out.write(ascii(OK + "Content-Length: 4000000\r\n\r\n"));
            out.write(ascii("[".repeat(4_000_000)));
        })) {
            asked(server.url()).isInstanceOf(SheafException.Server.class).hasMessageContaining("not the expected JSON");
        }
    }

    private static RawServer answering(String head, String body) {
        String answer = head + "Content-Length: " + body.length() + "\r\n\r\n" + body;
        return RawServer.start(out -> out.write(ascii(answer)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[]", "7", "null", "\"words\"", "{\"credentialType\": [}", "{}", "\0\0\0\0"})
    void whatIsNotTheAnswerIsAFailureOfTheRegistry(String body) {
        try (var server = answering(OK, body)) {
            asked(server.url()).isInstanceOf(SheafException.Server.class);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aLoginPageIsRecognized() {
        try (var server = answering("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n", "<html>")) {
            asked(server.url())
                    .isInstanceOf(SheafException.Server.class)
                    .hasMessageContainingAll("answered text/html instead of JSON", "login page");
        }
    }

    @Test
    void aRefusalWithoutEndIsCut() {
        try (var server = RawServer.start(out -> {
            out.write(ascii("HTTP/1.1 404 No\r\nContent-Type: application/json\r\n\r\n"));
            while (true) {
                out.write(ascii("[".repeat(8000)));
            }
        })) {
            asked(server.url()).isInstanceOf(SheafException.NotFound.class);
        }
    }

    @Test
    void aRefusalThatComesAgainAndAgainIsAskedOnce() {
        try (var server = answering("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\n", "")) {
            asked(server.url()).isInstanceOf(SheafException.Unauthenticated.class);
            assertThat(server.connections()).isEqualTo(1);
            assertThat(waits).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-5", "1e9", "99999999999999999999", "Thu, 01 Jan 1970 00:00:00 GMT", "soon", ""})
    void aStrangeRetryAfterIsNoLongWait(String value) {
        try (var server = answering("HTTP/1.1 503 Later\r\nRetry-After: " + value + "\r\n", "")) {
            asked(server.url()).isInstanceOf(SheafException.Server.class);
            assertThat(waits).allSatisfy(wait -> assertThat(wait).isLessThan(Duration.ofSeconds(2)));
            assertThat(server.connections()).isLessThanOrEqualTo(RetryPolicy.ATTEMPTS + 1); // one more to probe for TLS
        }
    }

    @Test
    void aRedirectToItselfEnds() throws IOException {
        try (var registry = TinyRegistry.start()) {
            registry.content.publish("acme/kit:1.0.0", Map.of("a.txt", new byte[10]));
            registry.replace("/blobs/", exchange -> {
                exchange.getResponseHeaders().set("Location", exchange.getRequestURI() + "x");
                exchange.sendResponseHeaders(302, -1);
            });
            try (var client = SheafClient.of(registry.url())
                    .cache(folder.resolve("cache"))
                    .key(Secret.of(TinyRegistry.KEY))
                    .pause(waits::add)
                    .open()) {
                assertThatThrownBy(() -> client.pull(Reference.parse("acme/kit:1.0.0")))
                        .isInstanceOf(SheafException.Server.class)
                        .hasMessageContaining("too many redirects");
            }

            var requests = registry.requests("/blobs/");
            assertThat(requests).hasSizeLessThanOrEqualTo(5);
            assertThat(requests.subList(1, requests.size()))
                    .as("after a redirect nobody is told the key, not even the same host")
                    .allSatisfy(seen -> assertThat(seen.headers()).doesNotContainKey("Authorization"));
        }
    }

    @Test
    void aRetryBringsTheSameIdempotencyKey() throws IOException {
        try (var registry = TinyRegistry.start();
                var client = SheafClient.of(registry.url())
                        .cache(folder.resolve("cache"))
                        .pause(waits::add)
                        .open()) {
            registry.replace(
                    ":rollback", exchange -> TinyRegistry.problem(exchange, 503, "unavailable", "not just now"));

            assertThatThrownBy(() -> client.bundle(RepositoryName.parse("acme/kit"))
                            .tags()
                            .rollback(Tag.parse("stable"), null, null))
                    .isInstanceOf(SheafException.Server.class);

            Set<String> keys = registry.requests(":rollback").stream()
                    .map(seen -> seen.headers().getFirst("Idempotency-Key"))
                    .collect(Collectors.toSet());
            assertThat(registry.requests(":rollback")).hasSize(RetryPolicy.ATTEMPTS);
            assertThat(keys).hasSize(1).doesNotContainNull();
            assertThat(waits).hasSize(RetryPolicy.ATTEMPTS - 1).isSorted();
        }
    }
}
