package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.Pulled;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.RetryPolicy;
import dev.sheaf.client.testing.TinyContent;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.bundle.Layer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A registry that lies. Whatever it does, nothing of the bundle may be in the cache or the target afterwards, and
/// the key must not be sent elsewhere.
class HostileRegistryTest {
    private static final RepositoryName NAME = RepositoryName.parse("acme/kit");
    private static final Reference KIT = Reference.parse("acme/kit:1.0.0");
    private static final byte[] GOOD = "good\n".getBytes(StandardCharsets.UTF_8);
    private static final byte[] OTHER = "other\n".repeat(500).getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    private final TinyRegistry registry = TinyRegistry.start();
    private final List<Duration> waits = new ArrayList<>();
    private String manifest = "";

    @BeforeEach
    void publish() {
        manifest = registry.content
                .publish("acme/kit:1.0.0", Map.of("a/good.txt", GOOD, "other.txt", OTHER))
                .ociDigest();
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private SheafClient client() {
        return SheafClient.of(registry.url())
                .cache(folder.resolve("cache"))
                .key(Secret.of(TinyRegistry.KEY))
                .pause(waits::add)
                .open();
    }

    private Pulled pull() {
        try (var client = client()) {
            return client.pull(KIT, folder.resolve("out"));
        }
    }

    private void assertNothingLanded() throws IOException {
        assertThat(folder.resolve("out")).doesNotExist();
        for (String part : List.of("blobs", "partial")) {
            Path cache = folder.resolve("cache").resolve(part);
            if (Files.exists(cache)) {
                assertThat(PullTest.contentOf(cache)).isEmpty();
            }
        }
    }

    private void resolvesTo(Layer... layers) {
        registry.content.versions.put(
                "acme/kit:1.0.0",
                TinyContent.resolution(NAME, Version.parse("1.0.0"), Digest.parse(manifest), List.of(layers)));
    }

    private static Layer layer(String path, byte[] bytes) {
        return new Layer(
                UUID.randomUUID(), path, "other", Digest.sha256(bytes).hex(), bytes.length, "text/plain", null);
    }

    @Test
    void aWrongByteInABlobIsRefused() throws IOException {
        byte[] wrong = OTHER.clone();
        wrong[1234] ^= 1;
        registry.content.blobs.put(Digest.sha256(OTHER).toString(), wrong);

        assertThatThrownBy(this::pull)
                .isInstanceOf(SheafException.Integrity.class)
                .hasMessageContaining(Digest.sha256(OTHER).toString());

        assertNothingLanded();
    }

    @Test
    void aWrongByteInTheManifestIsRefused() throws IOException {
        byte[] wrong =
                Objects.requireNonNull(registry.content.manifests.get(manifest)).clone();
        wrong[wrong.length - 3] ^= 1;
        registry.content.manifests.put(manifest, wrong);

        assertThatThrownBy(this::pull)
                .isInstanceOf(SheafException.Integrity.class)
                .hasMessageContaining(manifest);

        assertThat(registry.requests("/blobs/")).isEmpty();
        assertNothingLanded();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void aBlobOfAnotherLengthIsRefused(int difference) throws IOException {
        registry.content.blobs.put(Digest.sha256(OTHER).toString(), Arrays.copyOf(OTHER, OTHER.length + difference));

        assertThatThrownBy(this::pull).isInstanceOf(SheafException.Integrity.class);

        assertNothingLanded();
    }

    @Test
    void aBodyWithoutLengthThatNeverEndsIsCut() throws IOException {
        registry.replace(Digest.sha256(OTHER).toString(), exchange -> {
            exchange.sendResponseHeaders(200, 0); // chunked
            for (int i = 0; i < 1000; i++) {
                exchange.getResponseBody().write(OTHER);
            }
        });

        assertThatThrownBy(this::pull)
                .isInstanceOf(SheafException.Integrity.class)
                .hasMessageContaining("longer than");

        assertNothingLanded();
    }

    @Test
    void aManifestThatDisagreesWithResolveIsRefused() throws IOException {
        resolvesTo(layer("a/good.txt", GOOD));

        assertThatThrownBy(this::pull)
                .isInstanceOf(SheafException.Integrity.class)
                .hasMessageContaining("disagrees");

        assertNothingLanded();
    }

    @Test
    void swappedPathsAreADisagreement() throws IOException {
        resolvesTo(layer("a/good.txt", OTHER), layer("other.txt", GOOD));

        assertThatThrownBy(this::pull)
                .isInstanceOf(SheafException.Integrity.class)
                .hasMessageContaining("disagrees");

        assertNothingLanded();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../evil", "/etc/evil", "a/../../evil", "a//b", "C:\\evil", "nul", "a\u0000b"})
    void aPathOutOfTheTargetIsRefused(String path) throws IOException {
        resolvesTo(layer(path, GOOD));

        assertThatThrownBy(this::pull).isInstanceOf(SheafException.Integrity.class);

        assertThat(folder.resolve("evil")).doesNotExist();
        assertNothingLanded();
    }

    @Test
    void pathsThatMeetAreRefused() {
        resolvesTo(layer("README.md", GOOD), layer("readme.md", OTHER));
        assertThatThrownBy(this::pull)
                .isInstanceOf(SheafException.Integrity.class)
                .hasMessageContaining("clashes");

        resolvesTo(layer("a", GOOD), layer("a/b", OTHER));
        assertThatThrownBy(this::pull)
                .isInstanceOf(SheafException.Integrity.class)
                .hasMessageContaining("clashes");
    }

    @Test
    void anAnswerAboutAnotherBundleIsRefused() {
        registry.content.versions.put(
                "acme/kit:1.0.0",
                TinyContent.resolution(
                        RepositoryName.parse("acme/evil"), Version.parse("1.0.0"), Digest.parse(manifest), List.of()));

        assertThatThrownBy(this::pull)
                .isInstanceOf(SheafException.Integrity.class)
                .hasMessageContaining("acme/evil");
    }

    @Test
    void aRegistryThatRefusesTheKeyEachTimeIsAskedOnce() throws IOException {
        registry.replace("/", exchange -> {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer realm=\"" + registry.url() + "/v2/token\"");
            TinyRegistry.problem(exchange, 401, "unauthorized", "no");
        });

        assertThatThrownBy(this::pull).isInstanceOf(SheafException.Unauthenticated.class);

        assertThat(registry.requests("")).hasSize(1);
        assertNothingLanded();
    }

    @Test
    void aBlobThatIsCutOffEachTimeIsGivenUp() throws IOException {
        String blob = Digest.sha256(OTHER).toString();
        registry.replace(blob, exchange -> TinyRegistry.cutOff(exchange, OTHER, 0));

        assertThatThrownBy(this::pull).isInstanceOf(SheafException.Network.class);

        assertThat(registry.requests(blob)).hasSize(RetryPolicy.ATTEMPTS);
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(folder.resolve("cache/blobs")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE})
    void aLengthThatCannotBeIsRefused(long size) throws IOException {
        saysOther(size);

        assertThatThrownBy(this::pull).isInstanceOf(SheafException.Integrity.class);

        assertThat(registry.requests("/blobs/")).isEmpty();
        assertNothingLanded();
    }

    private void saysOther(long size) {
        resolvesTo(
                layer("a/good.txt", GOOD),
                new Layer(
                        UUID.randomUUID(),
                        "other.txt",
                        "other",
                        Digest.sha256(OTHER).hex(),
                        size,
                        "text/plain",
                        null));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 1, PullOptions.MOST_BYTES, PullOptions.MOST_BYTES + 1})
    void moreThanTheUserAllowedIsNotFetched(long size) throws IOException {
        saysOther(size);

        assertThatThrownBy(this::pull)
                .isInstanceOf(SheafException.InvalidRequest.class)
                .hasMessageContaining("the limit for a pull");

        assertThat(registry.requests("/v2/")).isEmpty();
        assertThat(registry.requests(":pull")).isEmpty();
        assertNothingLanded();
    }

    @Test
    void aManifestNestedWithoutEndIsTheServersFault() throws IOException {
        byte[] deep = "[".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
        String digest = Digest.sha256(deep).toString();
        registry.content.manifests.put(digest, deep);
        registry.content.versions.put(
                "acme/kit:1.0.0",
                TinyContent.resolution(NAME, Version.parse("1.0.0"), Digest.parse(digest), List.of(layer("a", GOOD))));

        assertThatThrownBy(this::pull).isInstanceOf(SheafException.Server.class);

        assertNothingLanded();
    }

    @Test
    void packedContentThatNobodyAskedForIsNotUnpacked() throws IOException {
        registry.replace(Digest.sha256(OTHER).toString(), exchange -> {
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            TinyRegistry.send(exchange, 200, TinyRegistry.packed(OTHER));
        });

        assertThatThrownBy(this::pull).isInstanceOf(SheafException.Integrity.class);

        assertNothingLanded();
    }

    @Test
    void aLinkInTheTargetIsNotFollowed() throws IOException {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.createDirectory(folder.resolve("out"));
        Files.createSymbolicLink(folder.resolve("out/a"), outside);

        assertThatThrownBy(this::pull).isInstanceOf(SheafException.Local.class).hasMessageContaining("symbolic link");

        assertThat(outside).isEmptyDirectory();
        assertThat(folder.resolve("out").toFile().list()).containsExactly("a");
    }

    @Test
    void aLinkInPlaceOfAFileIsNotFollowed() throws IOException {
        Path outside = Files.writeString(folder.resolve("outside.txt"), "mine");
        Files.createDirectory(folder.resolve("out"));
        Files.createSymbolicLink(folder.resolve("out/other.txt"), outside);

        assertThatThrownBy(this::pull).isInstanceOf(SheafException.Local.class);

        assertThat(outside).hasContent("mine");
    }

    @Test
    void anEndlessAnswerIsCut() {
        registry.replace(":resolve", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] block = new byte[1 << 20];
            for (int i = 0; i < 200; i++) {
                exchange.getResponseBody().write(block);
            }
        });

        assertThatThrownBy(this::pull).isInstanceOf(SheafException.Server.class).hasMessageContaining("longer than");
    }

    @Test
    void anAnswerThatIsNoJsonIsTheServersFault() {
        registry.replace(
                ":resolve", exchange -> TinyRegistry.send(exchange, 200, "<html>".getBytes(StandardCharsets.UTF_8)));

        assertThatThrownBy(this::pull).isInstanceOf(SheafException.Server.class);
    }

    @Test
    void waitsAsLongAsTheRegistryAsks() {
        registry.replaceOnce(":resolve", exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "7");
            TinyRegistry.problem(exchange, 429, "rate-limited", "too many requests");
        });

        pull();

        assertThat(waits).containsExactly(Duration.ofSeconds(7));
    }

    @Test
    void saysHowLongToWaitWhereThatIsTooLong() {
        registry.replace(":resolve", exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "3600");
            TinyRegistry.problem(exchange, 429, "rate-limited", "too many requests");
        });

        assertThatThrownBy(this::pull).isInstanceOfSatisfying(SheafException.RateLimited.class, e -> {
            assertThat(e.waitTime()).isEqualTo(Duration.ofHours(1));
            assertThat(e.code()).contains("rate-limited");
            assertThat(e.requestId()).contains("request-1");
        });
        assertThat(waits).isEmpty();
    }

    @Test
    void anUnreachableRegistryIsANetworkFailure() {
        registry.close();

        assertThatThrownBy(this::pull)
                .isInstanceOf(SheafException.Network.class)
                .hasMessageContaining("cannot connect to " + registry.url());
        assertThat(waits).hasSize(RetryPolicy.ATTEMPTS - 1);
    }
}
