package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.testing.TinyRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a pull leaves alone, what it asks again, and artifacts of other registries, as the command line shows it.
class PullCommandsTest extends CommandLineFixture {
    private void publish(String reference, String content) {
        registry.content.publish(reference, Map.of("v.txt", content.getBytes(StandardCharsets.UTF_8)));
    }

    private String out() {
        return folder.resolve("out").toString();
    }

    @Test
    void aChangedFileIsKeptUnlessForced() throws IOException {
        publish("acme/kit:1.0.0", "one");
        run("pull", "acme/kit", "-o", out());
        Path file = Files.writeString(folder.resolve("out/v.txt"), "mine");

        var kept = run("pull", "acme/kit", "-o", out());

        assertThat(kept.status()).isEqualTo(6);
        assertThat(kept.out()).isEmpty();
        assertThat(kept.err())
                .contains("nothing was written to", "v.txt", "to replace them: sheaf pull acme/kit", "--force");
        assertThat(file).hasContent("mine");
        assertThat(run("pull", "acme/kit", "-o", out(), "--force").status()).isZero();
        assertThat(file).hasContent("one");
    }

    @Test
    void aMovedTagIsSeenWhenAskedForAndAfterAPushAtOnce() throws IOException {
        publish("acme/kit:1.0.0", "one");
        assertThat(run("resolve", "acme/kit", "--format", "json").out()).contains("\"1.0.0\"");
        publish("acme/kit:1.1.0", "two");

        assertThat(run("resolve", "acme/kit").out()).contains("acme/kit:1.0.0");
        assertThat(run("resolve", "acme/kit", "--offline").out()).contains("acme/kit:1.0.0");
        assertThat(run("pull", "acme/kit", "-o", out()).err()).contains("acme/kit:1.0.0");
        assertThat(run("resolve", "acme/kit", "--refresh").out()).contains("acme/kit:1.1.0");
        assertThat(run("pull", "acme/kit", "-o", out()).err()).contains("acme/kit:1.1.0");

        Path source = Files.createDirectory(folder.resolve("source"));
        Files.writeString(source.resolve("v.txt"), "three");
        run("push", source.toString(), "acme/kit:1.2.0");
        assertThat(run("resolve", "acme/kit").out()).contains("acme/kit:1.2.0");
    }

    @Test
    void twoReferencesToOneBundleCannotShareADirectory() throws IOException {
        publish("acme/kit:1.0.0", "one");
        publish("acme/kit:2.0.0", "two");
        String file = folder.resolve("sheaf.lock").toString();
        run("lock", "--lock-file", file, "acme/kit:1.0.0", "acme/kit:2.0.0");

        var frozen = run("pull", "--frozen", "--lock-file", file, "-o", out());

        assertThat(frozen.status()).isEqualTo(10);
        assertThat(frozen.err())
                .contains("locks both acme/kit:1.0.0 (1.0.0) and acme/kit:2.0.0 (2.0.0)", "same directory kit");
        assertThat(folder.resolve("out")).doesNotExist();
        var one = run("pull", "--frozen", "--lock-file", file, "acme/kit:1.0.0", "-o", out());
        assertThat(one.status()).isZero();
        run("lock", "--lock-file", file, "--remove", "acme/kit:1.0.0");
        run("lock", "--lock-file", file, "acme/kit");
        assertThat(run("pull", "--frozen", "--lock-file", file, "-o", out()).status())
                .isZero();
        assertThat(folder.resolve("out/kit/v.txt")).hasContent("two");
    }

    @Test
    void whatIsLockedNeedsNoAnswerOfAnybodyWhereItIsCached() throws IOException {
        publish("acme/kit:1.0.0", "one");
        String file = folder.resolve("sheaf.lock").toString();
        run("lock", "--lock-file", file, "acme/kit");
        run("pull", "acme/kit", "-o", out());
        environment.put("SHEAF_API_KEY", "shf_another");
        registry.close();

        String again = folder.resolve("again").toString();
        var pulled = run("pull", "--frozen", "--lock-file", file, "acme/kit", "-o", again);
        var offline = run("pull", "--frozen", "--offline", "--lock-file", file, "acme/kit", "-o", again);

        assertThat(pulled.status()).isZero();
        assertThat(pulled.err()).contains("using the lock file and the cache");
        assertThat(offline.status()).isZero();
        assertThat(run("pull", "acme/kit", "--offline", "-o", again).status()).isEqualTo(9);
    }

    @Test
    void anArtifactOfAnotherRegistryIsPulledWithoutTheApiAndWithoutTheKey() throws IOException {
        environment.put("SHEAF_API_KEY", TinyRegistry.KEY);
        try (var other = TinyRegistry.start()) {
            String digest = other.content
                    .publish("acme/kit:1.0.0", Map.of("v.txt", "other".getBytes(StandardCharsets.UTF_8)))
                    .ociDigest();
            String reference = "127.0.0.1:" + other.url().port() + "/acme/kit@" + digest;

            var pulled = run("pull", reference, "-o", out(), "--json");

            assertThat(pulled.status()).isZero();
            assertThat(pulled.out())
                    .contains("\"pinned\" : \"" + reference + "\"")
                    .doesNotContain("\"version\"");
            assertThat(folder.resolve("out/v.txt")).hasContent("other");
            assertThat(other.requests("/v1/")).isEmpty();
            assertThat(other.requests(""))
                    .isNotEmpty()
                    .allSatisfy(r -> assertThat(r.headers()).doesNotContainKey("Authorization"));
            assertThat(registry.requests("")).isEmpty();
            assertThat(run("pull", reference, "--frozen").status()).isEqualTo(2);
            assertThat(run("pull", reference, "--min-age", "3d").status()).isEqualTo(2);
        }
    }

    @Test
    void whoeverIsNotLoggedInElsewhereIsToldToLogInThere() {
        environment.put("SHEAF_API_KEY", TinyRegistry.KEY);
        try (var other = TinyRegistry.start()) {
            other.replace("/v2/", exchange -> {
                boolean token = exchange.getRequestHeaders().containsKey("Authorization");
                exchange.getResponseHeaders()
                        .set(
                                "WWW-Authenticate",
                                "Bearer realm=\"" + other.url() + "/token\""
                                        + (token ? ",error=\"insufficient_scope\"" : ""));
                exchange.sendResponseHeaders(401, -1);
            });
            other.replace(
                    "/token",
                    exchange ->
                            TinyRegistry.send(exchange, 200, "{\"token\": \"abc\"}".getBytes(StandardCharsets.UTF_8)));
            String host = "127.0.0.1:" + other.url().port();

            var refused = run("pull", host + "/acme/kit:1.0.0", "-o", out());

            assertThat(refused.status()).isEqualTo(4);
            assertThat(refused.err()).contains("  log in there: docker login " + host + ", or");
        }
    }

    /// The advice is that of the registry, not that for any OCI registry, however the host is written.
    @ParameterizedTest
    @ValueSource(strings = {"acme/typo", "acme/typo:1.0.0", "acme/typo@sha256:%s"})
    void aMistypedNameAtTheRegistryItselfIsABundleThatIsNotThere(String name) {
        String url = "http://localhost:" + registry.url().port();
        registry.replace(":resolve", exchange -> TinyRegistry.problem(exchange, 401, "unauthenticated", "a key"));
        registry.replace("/v2/", exchange -> {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer realm=\"" + url + "/token\"");
            exchange.sendResponseHeaders(401, -1);
        });
        registry.replace(
                "/token",
                exchange -> TinyRegistry.send(exchange, 200, "{\"token\": \"abc\"}".getBytes(StandardCharsets.UTF_8)));
        environment.put("SHEAF_URL", url);
        String reference = "LOCALHOST:" + registry.url().port() + "/" + name.formatted("0".repeat(64));

        var refused = run("pull", reference, "-o", out());

        assertThat(refused.status()).isEqualTo(4);
        assertThat(refused.err())
                .contains("sheaf: no bundle acme/typo can be seen without a key", "sheaf login --url ")
                .doesNotContain("docker login");

        environment.put("SHEAF_API_KEY", TinyRegistry.KEY);
        registry.replace(":resolve", exchange -> TinyRegistry.problem(exchange, 404, "bundle-not-found", "none"));
        registry.replace("/v2/", exchange -> TinyRegistry.send(exchange, 404, """
                {"errors": [{"code": "NAME_UNKNOWN", "message": "repository is not known"}]}
                """.getBytes(StandardCharsets.UTF_8)));

        var missing = run("pull", reference, "-o", out());

        assertThat(missing.status()).isEqualTo(3);
        assertThat(missing.err())
                .contains("check the name; a private bundle needs a key of its organization: sheaf login")
                .doesNotContain("docker login");
    }

    @Test
    void theRegistryItselfGetsTheKeyForItsOwnArtifacts() {
        environment.put("SHEAF_API_KEY", TinyRegistry.KEY);
        registry.requireKey();
        String digest = registry.content
                .publish("acme/kit:1.0.0", Map.of("v.txt", new byte[1]))
                .ociDigest();

        var pulled = run("pull", "127.0.0.1:" + registry.url().port() + "/acme/kit@" + digest, "-o", out());

        assertThat(pulled.status()).isZero();
        assertThat(pulled.err()).contains("pulled 127.0.0.1:" + registry.url().port() + "/acme/kit (" + digest);
    }

    @Test
    void severalGoIntoADirectoryEach() {
        registry.content.publish("acme/one:1.0.0", Map.of("a", "1".getBytes(StandardCharsets.UTF_8)));
        registry.content.publish("acme/two:1.0.0", Map.of("b", "2".getBytes(StandardCharsets.UTF_8)));

        var pulled = run(
                "pull",
                "acme/one",
                "acme/two:1.0.0",
                "-o",
                folder.resolve("all").toString());

        assertThat(pulled.status()).as(pulled.err()).isZero();
        assertThat(pulled.out().lines())
                .containsExactly(
                        folder.resolve("all/one").toString(),
                        folder.resolve("all/two").toString());
        assertThat(folder.resolve("all/one/a")).hasContent("1");
        assertThat(folder.resolve("all/two/b")).hasContent("2");
        var clash = run("pull", "acme/one", "other/one");
        assertThat(clash.status()).isEqualTo(2);
        assertThat(clash.err()).contains("two references would go to the same directory one");
    }
}
