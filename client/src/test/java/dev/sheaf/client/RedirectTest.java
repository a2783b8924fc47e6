package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.sheaf.client.api.Pulled;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.client.testing.TestCertificate;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A registry may store its blobs elsewhere, but a redirect never sends the key to another host.
class RedirectTest {
    private static final Reference KIT = Reference.parse("acme/kit:1.0.0");
    private static final byte[] OTHER = "other\n".repeat(500).getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path folder;

    private final TinyRegistry registry = TinyRegistry.start();

    @BeforeEach
    void publish() {
        registry.content.publish("acme/kit:1.0.0", Map.of("other.txt", OTHER));
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private Pulled pull() {
        return pull(NetworkSettings.of(Map.of(), null));
    }

    private Pulled pull(NetworkSettings network) {
        try (var client = SheafClient.of(registry.url())
                .network(network)
                .cache(folder.resolve("cache"))
                .key(Secret.of(TinyRegistry.KEY))
                .pause(wait -> {})
                .open()) {
            return client.pull(KIT, folder.resolve("out"));
        }
    }

    @Test
    void aRedirectedBlobIsFetchedWithoutTheKey() throws Exception {
        var certificate = TestCertificate.make(folder, "ip:127.0.0.1");
        try (var elsewhere = TinyRegistry.start("127.0.0.1", certificate.server())) {
            String blob = Digest.sha256(OTHER).toString();
            elsewhere.content.blobs.put(blob, OTHER);
            String location = elsewhere.url() + "/v2/acme/kit/blobs/" + blob;
            registry.replace(blob, exchange -> redirect(exchange, location));

            pull(NetworkSettings.of(Map.of(), certificate.pem()));

            assertThat(registry.requests(blob).getFirst().headers()).containsKey("Authorization");
            assertThat(elsewhere.requests(""))
                    .singleElement()
                    .satisfies(r -> assertThat(r.headers()).doesNotContainKey("Authorization"));
        }
    }

    /// Another port of the same host may be another service.
    @Test
    void anotherPortOfTheHostIsAnotherHost() throws IOException {
        try (var elsewhere = TinyRegistry.start()) {
            String blob = Digest.sha256(OTHER).toString();
            elsewhere.content.blobs.put(blob, OTHER);
            registry.replace(blob, exchange -> redirect(exchange, elsewhere.url() + "/v2/acme/kit/blobs/" + blob));

            assertThatThrownBy(this::pull)
                    .isInstanceOf(SheafException.Server.class)
                    .hasMessageContaining("own host and port");

            assertThat(elsewhere.requests("")).isEmpty();
            assertThat(registry.requests(blob))
                    .allSatisfy(r -> assertThat(r.headers().getFirst("Prefer")).isEqualTo("no-redirect"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://127.0.0.1:99999/x",
                "http://localhost:9/x",
                "ftp://127.0.0.1/x",
                "file:///etc/passwd",
                "::",
                ""
            })
    void aRedirectElsewhereIsNotFollowed(String location) throws IOException {
        registry.replace(Digest.sha256(OTHER).toString(), exchange -> redirect(exchange, location));

        assertThatThrownBy(this::pull).isInstanceOf(SheafException.Server.class).hasMessageContaining("redirected");

        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void noOtherRequestFollowsARedirect() {
        try (var elsewhere = TinyRegistry.start()) {
            registry.replace(":resolve", exchange -> redirect(exchange, elsewhere.url() + "/x"));

            assertThatThrownBy(this::pull)
                    .isInstanceOf(SheafException.Server.class)
                    .hasMessageContaining("is not followed");

            assertThat(elsewhere.requests("")).isEmpty();
        }
    }

    @Test
    void aRedirectInCirclesEnds() throws IOException {
        String blob = Digest.sha256(OTHER).toString();
        registry.replace(blob, exchange -> redirect(exchange, "/v2/acme/kit/blobs/" + blob));

        assertThatThrownBy(this::pull)
                .isInstanceOf(SheafException.Server.class)
                .hasMessageContaining("too many redirects");

        assertThat(registry.requests(blob)).hasSizeLessThan(6);
        assertThat(folder.resolve("out")).doesNotExist();
    }

    private static void redirect(HttpExchange exchange, String location) throws IOException {
        exchange.getResponseHeaders().set("Location", location);
        exchange.sendResponseHeaders(307, -1);
    }
}
