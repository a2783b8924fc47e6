package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Reference;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.wire.key.ApiKeyRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How refusals become kinds of failure, and which requests are not repeated.
class RefusalTest {
    private static final Reference KIT = Reference.parse("acme/kit");

    @TempDir
    Path folder;

    private final TinyRegistry registry = TinyRegistry.start();

    @AfterEach
    void stop() {
        registry.close();
    }

    private SheafClient client() {
        return SheafClient.of(registry.url()).cache(folder).pause(wait -> {}).open();
    }

    @ParameterizedTest
    @CsvSource({
        "400, InvalidRequest", "401, Unauthenticated", "403, Forbidden", "404, NotFound", "409, Conflict",
        "410, NotFound", "412, Conflict", "413, InvalidRequest", "422, InvalidRequest", "429, RateLimited",
        "500, Server", "503, Server"
    })
    void eachStatusIsAKind(int status, String kind) {
        registry.replace(":resolve", e -> TinyRegistry.problem(e, status, "some-code", "the sentence"));

        try (var client = client()) {
            assertThatThrownBy(() -> client.resolve(KIT))
                    .isInstanceOfSatisfying(SheafException.class, e -> {
                        assertThat(e.getClass().getSimpleName()).isEqualTo(kind);
                        assertThat(e.status()).isEqualTo(status);
                        assertThat(e.code()).contains("some-code");
                        assertThat(e.requestId()).contains("request-1");
                    })
                    .hasMessage("the sentence");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"status\":429,\"detail\":\"too much\",\"throttle\":\"memory\"}",
                "{\"errors\":[{\"code\":\"TOOMANYREQUESTS\",\"message\":\"too much\",\"detail\":{\"throttle\":\"memory\"}}]}"
            })
    void theThrottleIsNamed(String body) {
        registry.replace(":resolve", e -> {
            e.getResponseHeaders().set("Content-Type", "application/problem+json");
            e.getResponseHeaders().set("Retry-After", "3600");
            TinyRegistry.send(e, 429, body.getBytes(StandardCharsets.UTF_8));
        });

        try (var client = client()) {
            assertThatThrownBy(() -> client.resolve(KIT))
                    .isInstanceOfSatisfying(
                            SheafException.RateLimited.class,
                            e -> assertThat(e.throttle()).contains("memory"))
                    .hasMessage("too much");
        }
    }

    @Test
    void aMissingScopeIsNamed() {
        registry.replace(":resolve", e -> TinyRegistry.problem(e, 403, "forbidden", "API key requires 'write' scope"));

        try (var client = client()) {
            assertThatThrownBy(() -> client.resolve(KIT))
                    .isInstanceOfSatisfying(
                            SheafException.Forbidden.class,
                            e -> assertThat(e.needed()).contains(Scope.WRITE));
        }
    }

    @Test
    void anOciRefusalIsReadToo() {
        registry.content.publish("acme/kit:1.0.0", java.util.Map.of("a", new byte[1]));
        registry.replace("/manifests/", e -> {
            e.getResponseHeaders().set("WWW-Authenticate", "Bearer realm=\"/v2/token\",error=\"insufficient_scope\"");
            TinyRegistry.send(
                    e, 401, "{\"errors\":[{\"code\":\"DENIED\",\"message\":\"no\"}]}".getBytes(StandardCharsets.UTF_8));
        });

        try (var client = client()) {
            assertThatThrownBy(() -> client.pull(KIT))
                    .isInstanceOfSatisfying(
                            SheafException.Forbidden.class,
                            e -> assertThat(e.code()).contains("DENIED"))
                    .hasMessage("no");
        }
    }

    @Test
    void anAnswerWithoutWordsIsPutIntoSome() {
        registry.replace(":resolve", e -> e.sendResponseHeaders(401, -1));

        try (var client = client()) {
            assertThatThrownBy(() -> client.resolve(KIT))
                    .isInstanceOf(SheafException.Unauthenticated.class)
                    .hasMessageStartingWith("this requires a key");
        }
    }

    @Test
    void whatTheRegistrySaysCannotDriveATerminal() {
        registry.replace(":resolve", e -> TinyRegistry.problem(e, 404, "x", "a\u001b[2Jb\nc"));

        try (var client = client()) {
            assertThatThrownBy(() -> client.resolve(KIT)).hasMessage("a [2Jb c");
        }
    }

    @Test
    void aKeyIsNotCreatedTwice() {
        registry.replace("/api-keys", e -> TinyRegistry.problem(e, 500, "internal-error", "failed"));

        try (var client = client()) {
            var keys = client.keys("acme");
            assertThatThrownBy(() -> keys.create(new ApiKeyRequest("ci", null, null, null, null, null)))
                    .isInstanceOf(SheafException.Server.class);
        }

        assertThat(registry.requests("/api-keys")).hasSize(1);
    }

    @Test
    void keysAreCreatedListedAndRevokedInTheOwnOrganization() {
        try (var client = client()) {
            var keys = client.keys(null);

            var key = keys.create(new ApiKeyRequest("ci", java.util.List.of("write"), null, null, "P90D", null));
            assertThat(key.key()).isEqualTo(TinyRegistry.KEY);
            assertThat(keys.list())
                    .singleElement()
                    .satisfies(k -> assertThat(k.name()).isEqualTo("ci"));
            keys.revoke(key.id());
            assertThat(keys.list()).isEmpty();
        }
        assertThat(registry.requests("/api-keys"))
                .allSatisfy(r -> assertThat(r.path()).contains(TinyRegistry.ORGANIZATION.toString()));
    }
}
