package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.sheaf.client.api.OciReference;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.Pulled;
import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.client.network.NetworkSettings;
import dev.sheaf.client.testing.TestCertificate;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Artifacts of any OCI registry, without the API: registries that require a password or a token, and one that
/// lies.
class OciPullTest {
    private static final String BASIC =
            "Basic " + Base64.getEncoder().encodeToString("me:secret".getBytes(StandardCharsets.UTF_8));

    @TempDir
    private Path folder;

    private final TinyRegistry registry = TinyRegistry.start();

    @AfterEach
    void stop() {
        registry.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// Publishes `title=content` as `some/artifact:1`; the title `-` means none. Returns the digest.
    private String publish(String... files) {
        var layers = new ArrayList<String>();
        for (String file : files) {
            String title = file.split("=")[0];
            byte[] content = bytes(file.split("=")[1]);
            String digest = Digest.sha256(content).toString();
            registry.content.blobs.put(digest, content);
            String annotations = title.equals("-")
                    ? ""
                    : ", \"annotations\": {\"org.opencontainers.image.title\": " + WireJson.text(title) + "}";
            layers.add("{\"digest\": \"%s\", \"size\": %d%s}".formatted(digest, content.length, annotations));
        }
        return manifest("{\"schemaVersion\": 2, \"layers\": [" + String.join(",", layers) + "]}");
    }

    private String manifest(String json) {
        String digest = Digest.sha256(bytes(json)).toString();
        registry.content.manifests.put(digest, bytes(json));
        registry.content.manifests.put("1", bytes(json));
        return digest;
    }

    private OciReference reference(String rest) {
        return OciReference.parse(
                "127.0.0.1:" + registry.url().port() + "/some/artifact" + rest, RegistryUrl.DEFAULT, false);
    }

    private Pulled pull(String rest) {
        return pull(rest, null, PullOptions.DEFAULT);
    }

    private Pulled pull(String rest, @Nullable String password, PullOptions options) {
        return pullAs(rest, builder -> password == null ? builder : builder.login("me", Secret.of(password)), options);
    }

    private Pulled pullAs(String rest, UnaryOperator<ClientBuilder> login, PullOptions options) {
        var builder =
                SheafClient.of(registry.url()).cache(folder.resolve("cache")).pause(wait -> {});
        try (var client = login.apply(builder).open()) {
            return client.pull(reference(rest), folder.resolve("out"), options);
        }
    }

    private Map<String, String> files() throws IOException {
        var text = new TreeMap<String, String>();
        PullTest.contentOf(folder.resolve("out"))
                .forEach((path, content) -> text.put(path, new String(content, StandardCharsets.UTF_8)));
        return text;
    }

    @ParameterizedTest
    @CsvSource({
        "ghcr.io/a/b, https://ghcr.io, a/b, latest",
        "localhost:5000/a, http://localhost:5000, a, latest",
        "localhost/a/b:x, http://localhost, a/b, x",
        "127.0.0.1:5000/a/b/c:1.0, http://127.0.0.1:5000, a/b/c, 1.0",
        "bundles.example.com:8443/a__b/c-d:T_1, https://bundles.example.com:8443, a__b/c-d, T_1"
    })
    void readsReferences(String text, String url, String repository, String tag) {
        assertThat(OciReference.isOne(text)).isTrue();
        var reference = OciReference.parse(text, RegistryUrl.DEFAULT, false);

        assertThat(reference.registry()).isEqualTo(RegistryUrl.parse(url));
        assertThat(reference.repository()).isEqualTo(repository);
        assertThat(reference.tag()).isEqualTo(tag);
    }

    @ParameterizedTest
    @ValueSource(strings = {"acme/kit", "acme/kit:1.0", "localhost/kit", "acme/kit:>=1.0 <2", "acme/kit@sha256:0"})
    void takesNoBundleForOne(String text) {
        assertThat(OciReference.isOne(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a.b/../c", "a.b/C", "a.b/c:", "a.b/c:..%2f", "a.b/c@sha256:0", "a.b/", "a.b:x/c", "a.b/c?x"})
    void refusesWhatIsNone(String text) {
        assertThatThrownBy(() -> OciReference.parse(text, RegistryUrl.DEFAULT, false))
                .isInstanceOf(ProblemException.class);
    }

    @Test
    void writesLayersUnderTheirTitlesElseUnderTheirDigests() throws IOException {
        String digest = publish("a.txt=1", "b/c.txt=2", "-=3", "-=3");

        var pulled = pull(":1");

        String unnamed = Digest.sha256(bytes("3")).toString().replace(':', '-');
        assertThat(files()).isEqualTo(Map.of("a.txt", "1", "b/c.txt", "2", unnamed, "3"));
        assertThat(pulled.manifestDigest()).hasToString(digest);
        assertThat(registry.requests("/v1/")).isEmpty();
    }

    @Test
    void byDigestAsksNothingOnceItIsCached() throws IOException {
        String digest = publish("a.txt=1");
        pull("@" + digest);
        int before = registry.requests("").size();

        pull("@" + digest);
        pull(":ignored@" + digest, null, PullOptions.DEFAULT.offline(true));

        assertThat(registry.requests("")).hasSize(before);
        assertThatThrownBy(() -> pull(":1", null, PullOptions.DEFAULT.offline(true)))
                .isInstanceOf(SheafException.Offline.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../evil", "/evil", "a/../../evil", "C:\\evil", "nul", "a//b", "."})
    void refusesTitlesThatLeaveTheTarget(String title) {
        publish(title + "=1", "good.txt=2");

        assertThatThrownBy(() -> pull(":1")).isInstanceOf(SheafException.Integrity.class);

        assertThat(folder.resolve("evil")).doesNotExist();
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(folder.resolve("cache/blobs")).doesNotExist();
    }

    @Test
    void refusesTitlesThatMeetIndexesAndWhatHasNoFiles() {
        publish("A.txt=1", "a.txt=2");
        assertThatThrownBy(() -> pull(":1")).hasMessageContaining("clashes");

        manifest("{\"schemaVersion\": 2, \"manifests\": []}");
        assertThatThrownBy(() -> pull(":1")).hasMessageContaining("index of several manifests");

        publish();
        manifest("{\"schemaVersion\": 2, \"layers\": []}");
        assertThatThrownBy(() -> pull(":1")).hasMessageContaining("has no files");

        manifest("{\"layers\": [{\"digest\": \"sha256:" + "0".repeat(64) + "\", \"size\": -1}]}");
        assertThatThrownBy(() -> pull(":1"))
                .isInstanceOf(SheafException.Integrity.class)
                .hasMessageContaining("-1 bytes");
        assertThat(folder.resolve("out")).doesNotExist();
    }

    @Test
    void refusesAnotherManifestAndOtherBytes() throws IOException {
        String digest = publish("a.txt=1");
        registry.content.manifests.put(digest, bytes("{\"layers\": []}"));
        assertThatThrownBy(() -> pull("@" + digest)).isInstanceOf(SheafException.Integrity.class);

        publish("a.txt=1");
        registry.content.blobs.put(Digest.sha256(bytes("1")).toString(), bytes("2"));
        assertThatThrownBy(() -> pull(":1")).isInstanceOf(SheafException.Integrity.class);

        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(PullTest.contentOf(folder.resolve("cache")).keySet().stream()
                        .filter(path -> !path.startsWith("locks/")))
                .isEmpty();
    }

    private static List<String> authorizations(TinyRegistry of, String part) {
        return of.requests(part).stream()
                .map(request -> String.valueOf(request.headers().getFirst("Authorization")))
                .toList();
    }

    /// Makes the registry refuse requests without this header, except those to the token service.
    private void guard(String authorization, String challenge) {
        registry.replace("/v2/", exchange -> {
            if (authorization.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                serve(exchange);
            } else {
                exchange.getResponseHeaders().set("WWW-Authenticate", challenge);
                exchange.sendResponseHeaders(401, -1);
            }
        });
    }

    private void serve(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String last = path.substring(path.lastIndexOf('/') + 1);
        byte[] content =
                path.contains("/blobs/") ? registry.content.blobs.get(last) : registry.content.manifests.get(last);
        TinyRegistry.bytes(exchange, java.util.Objects.requireNonNull(content));
    }

    @Test
    void showsThePasswordWhereItIsAskedFor() throws IOException {
        publish("a.txt=1");
        guard(BASIC, "Basic realm=\"x\"");

        pull(":1", "secret", PullOptions.DEFAULT);

        assertThat(authorizations(registry, "/v2/")).containsExactly("null", BASIC, BASIC);
        assertThat(files()).isEqualTo(Map.of("a.txt", "1"));
        assertThatThrownBy(() -> pull(":1")).isInstanceOf(SheafException.Unauthenticated.class);
    }

    @Test
    void getsATokenWithThePasswordFromTheRegistrysOwnService() {
        publish("a.txt=1");
        guard("Bearer t0", "Bearer realm=\"" + registry.url() + "/token\",service=\"s\",scope=\"repository:x:pull\"");
        registry.replace("/token", exchange -> TinyRegistry.send(exchange, 200, bytes("{\"token\": \"t0\"}")));

        pull(":1", "secret", PullOptions.DEFAULT);

        assertThat(authorizations(registry, "/token")).containsExactly(BASIC);
        assertThat(registry.requests("/token").getFirst().query())
                .isEqualTo("scope=repository:some/artifact:pull&service=s");
    }

    /// A token for more than the pull, or for another repository, must not be sent to the registry.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "repository:some/artifact:pull,push,delete",
                "repository:other/private:pull",
                "registry:catalog:*",
                "repository:a:pull repository:b:push"
            })
    void asksForNoMoreThanThePull(String scope) {
        publish("a.txt=1");
        guard("Bearer t0", "Bearer realm=\"" + registry.url() + "/token\",service=\"s\",scope=\"" + scope + "\"");
        registry.replace("/token", exchange -> TinyRegistry.send(exchange, 200, bytes("{\"token\": \"t0\"}")));

        pull(":1", "secret", PullOptions.DEFAULT);

        assertThat(registry.requests("/token").getFirst().query())
                .isEqualTo("scope=repository:some/artifact:pull&service=s");
    }

    @Test
    void exchangesAnIdentityTokenAtTheRegistrysOwnService() throws IOException {
        publish("a.txt=1");
        guard("Bearer t0", "Bearer realm=\"" + registry.url() + "/token\",service=\"s 1\",scope=\"repository:x:pull\"");
        var forms = new ArrayList<String>();
        registry.replace("/token", exchange -> {
            forms.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            TinyRegistry.send(exchange, 200, bytes("{\"access_token\": \"t0\"}"));
        });

        pullAs(":1", builder -> builder.identityToken(Secret.of("i+1")), PullOptions.DEFAULT);

        assertThat(files()).isEqualTo(Map.of("a.txt", "1"));
        assertThat(authorizations(registry, "")).doesNotContain("Bearer i+1").contains("Bearer t0");
        assertThat(forms)
                .containsExactly("grant_type=refresh_token&refresh_token=i%2B1&service=s+1"
                        + "&scope=repository%3Asome%2Fartifact%3Apull&client_id=sheaf");
    }

    @Test
    void anIdentityTokenGoesToNoServiceElsewhereAndIsNoPassword() {
        publish("a.txt=1");
        try (var elsewhere = TinyRegistry.start("localhost", null)) {
            for (String challenge : List.of("Bearer realm=\"" + elsewhere.url() + "/token\"", "Basic realm=\"x\"")) {
                guard("never", challenge);
                assertThatThrownBy(() ->
                                pullAs(":1", builder -> builder.identityToken(Secret.of("i")), PullOptions.DEFAULT))
                        .isInstanceOf(SheafException.class);
            }
            assertThat(elsewhere.requests("")).isEmpty();
        }
        assertThat(authorizations(registry, "")).containsOnly("null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://localhost:9/token", "ftp://x/token", "http://user@127.0.0.1/token", "", "::"})
    void asksNoTokenServiceThatCouldListenIn(String realm) {
        publish("a.txt=1");
        guard("Bearer t0", "Bearer realm=\"" + realm + "\"");

        assertThatThrownBy(() -> pull(":1", "secret", PullOptions.DEFAULT))
                .isInstanceOf(SheafException.Server.class)
                .hasMessageContaining("cannot be used");
    }

    @Test
    void aRegistryThatRefusesEveryTokenIsAskedTwice() {
        publish("a.txt=1");
        guard("Bearer never", "Bearer realm=\"" + registry.url() + "/token\"");
        registry.replace("/token", exchange -> TinyRegistry.send(exchange, 200, bytes("{\"token\": \"t0\"}")));

        assertThatThrownBy(() -> pull(":1", "secret", PullOptions.DEFAULT))
                .isInstanceOf(SheafException.Unauthenticated.class);

        assertThat(registry.requests("/v2/")).hasSize(2);
        assertThat(registry.requests("/token")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{}", "{\"token\": \"a\\r\\nb: c\"}"})
    void aTokenThatIsNoneIsNotSent(String answer) {
        publish("a.txt=1");
        guard("Bearer never", "Bearer realm=\"/token\"");
        registry.replace("/token", exchange -> TinyRegistry.send(exchange, 200, bytes(answer)));

        assertThatThrownBy(() -> pull(":1")).isInstanceOf(SheafException.class);

        assertThat(registry.requests("/v2/")).hasSize(1);
    }

    @Test
    void thePasswordStaysBehindARedirect() throws Exception {
        publish("a.txt=1");
        String blob = Digest.sha256(bytes("1")).toString();
        var certificate = TestCertificate.make(folder, "ip:127.0.0.1");
        try (var elsewhere = TinyRegistry.start("127.0.0.1", certificate.server())) {
            elsewhere.content.blobs.put(blob, bytes("1"));
            registry.replace("/v2/", exchange -> {
                var headers = exchange.getResponseHeaders();
                if (!BASIC.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                    headers.set("WWW-Authenticate", "Basic realm=\"x\"");
                    exchange.sendResponseHeaders(401, -1);
                } else if (exchange.getRequestURI().getPath().contains("/blobs/")) {
                    headers.set("Location", elsewhere.url() + "/v2/x/y/blobs/" + blob);
                    exchange.sendResponseHeaders(307, -1);
                } else {
                    serve(exchange);
                }
            });

            pullAs(
                    ":1",
                    builder -> builder.login("me", Secret.of("secret"))
                            .network(NetworkSettings.of(Map.of(), certificate.pem())),
                    PullOptions.DEFAULT);

            assertThat(authorizations(elsewhere, "")).containsExactly("null");
        }
    }

    @Test
    void aClientOfAnotherRegistryRefuses() {
        try (var client = SheafClient.of(RegistryUrl.DEFAULT)
                .cache(folder.resolve("cache"))
                .open()) {
            assertThatThrownBy(() -> client.pull(reference(":1"), folder.resolve("out"), PullOptions.DEFAULT))
                    .isInstanceOf(SheafException.InvalidRequest.class);
        }
        assertThat(Files.exists(folder.resolve("out"))).isFalse();
    }
}
