package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.PushOptions;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.key.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Cached answers are used for a limited time, only for the same caller, and not after a change.
class KeptAnswersTest {
    private static final Reference LATEST = Reference.parse("acme/kit");
    private static final Reference EXACT = Reference.parse("acme/kit:1.0.0");
    private static final Secret KEY = Secret.of(TinyRegistry.KEY);

    @TempDir
    private Path folder;

    private final TinyRegistry registry = TinyRegistry.start();
    private Instant now = Instant.parse("2026-03-01T12:00:00Z");

    @BeforeEach
    void publishFirst() {
        publish("1.0.0");
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private String publish(String version) {
        return registry.content
                .publish("acme/kit:" + version, Map.of("v.txt", version.getBytes(StandardCharsets.UTF_8)))
                .ociDigest();
    }

    private SheafClient client(@Nullable Secret key) {
        return SheafClient.of(registry.url())
                .cache(folder.resolve("cache"))
                .key(key)
                .clock(() -> now)
                .pause(wait -> {})
                .open();
    }

    private String resolve(Reference reference) {
        return resolve(reference, KEY, PullOptions.DEFAULT);
    }

    private String resolve(Reference reference, @Nullable Secret key, PullOptions options) {
        try (var client = client(key)) {
            return client.resolve(reference, options).version();
        }
    }

    private int asked() {
        return registry.requests(":resolve").size();
    }

    @Test
    void aTagIsTakenAsItWasForHalfAMinute() {
        assertThat(resolve(LATEST)).isEqualTo("1.0.0");
        publish("1.1.0");

        now = now.plusSeconds(29);
        assertThat(resolve(LATEST)).isEqualTo("1.0.0");
        assertThat(asked()).isEqualTo(1);

        now = now.plusSeconds(1);
        assertThat(resolve(LATEST)).isEqualTo("1.1.0");
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void anExactVersionIsTakenAsItWasForFiveMinutesAndThenConfirmedByItsEtag() {
        resolve(EXACT);
        now = now.plus(Duration.ofMinutes(5)).minusSeconds(1);
        resolve(EXACT);
        assertThat(asked()).isEqualTo(1);

        now = now.plusSeconds(1);
        assertThat(resolve(EXACT)).isEqualTo("1.0.0");
        now = now.plus(Duration.ofMinutes(4));
        resolve(EXACT);

        assertThat(asked()).isEqualTo(2);
        assertThat(registry.requests(":resolve").getLast().headers().getFirst("If-None-Match"))
                .startsWith("\"");
    }

    @Test
    void whoWantsToKnowNowAsksNow() {
        resolve(LATEST);
        publish("1.1.0");

        assertThat(resolve(LATEST, KEY, PullOptions.DEFAULT.refresh(true))).isEqualTo("1.1.0");
        assertThat(resolve(LATEST)).isEqualTo("1.1.0");
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void aPullOfWhatIsKeptAndCachedAsksNothing() {
        try (var client = client(KEY)) {
            client.pull(LATEST, folder.resolve("one"));
            int before = registry.requests("").size();

            client.pull(LATEST, folder.resolve("two"));

            assertThat(registry.requests("")).hasSize(before);
            assertThat(folder.resolve("two/v.txt")).hasContent("1.0.0");
        }
    }

    @Test
    void whatIsTakenAsItWasMakesNothingElseLastLonger() {
        try (var client = client(KEY)) {
            String digest =
                    client.pull(LATEST, folder.resolve("out")).manifestDigest().toString();
            now = now.plusSeconds(20);
            client.pull(LATEST, folder.resolve("out"));
            var pinned = Reference.parse("acme/kit@" + digest);

            now = now.plus(Duration.ofMinutes(5)).minusSeconds(21);
            client.pull(pinned, folder.resolve("out"));
            assertThat(asked()).isEqualTo(1);
            now = now.plusSeconds(1);
            client.pull(pinned, folder.resolve("out"));
            assertThat(asked()).isEqualTo(2);
        }
    }

    @Test
    void oneCredentialIsNotToldWhatAnotherWas() {
        registry.requireKey();
        resolve(EXACT);

        assertThatThrownBy(() -> resolve(EXACT, null, PullOptions.DEFAULT))
                .isInstanceOf(SheafException.Unauthenticated.class);
        assertThatThrownBy(() -> resolve(EXACT, Secret.of("shf_another"), PullOptions.DEFAULT))
                .isInstanceOf(SheafException.Unauthenticated.class);
        assertThatThrownBy(() -> resolve(EXACT, null, PullOptions.DEFAULT.offline(true)))
                .isInstanceOf(SheafException.Offline.class);
        assertThat(resolve(EXACT, KEY, PullOptions.DEFAULT.offline(true))).isEqualTo("1.0.0");
    }

    @Test
    void noCredentialIsInTheCache() throws IOException {
        try (var client = client(KEY)) {
            client.pull(LATEST);
        }

        try (var files = Files.walk(folder.resolve("cache"))) {
            for (Path file : files.toList()) {
                assertThat(file.toString()).doesNotContain(TinyRegistry.KEY);
                if (Files.isRegularFile(file)) {
                    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                            .doesNotContain(TinyRegistry.KEY);
                }
            }
        }
    }

    @Test
    void whatThisMachineChangesIsAskedForAgain() throws IOException {
        Path source = Files.createDirectory(folder.resolve("source"));
        Files.writeString(source.resolve("v.txt"), "1.1.0");
        resolve(LATEST);
        now = now.plusSeconds(1);

        try (var client = client(KEY)) {
            client.push(source, Reference.parse("acme/kit:1.1.0"), PushOptions.DEFAULT);
        }
        now = now.plusSeconds(1);

        assertThat(resolve(LATEST)).isEqualTo("1.1.0");
    }

    @Test
    void aChangeThatMayHaveHappenedCountsAsOne() {
        resolve(EXACT);
        now = now.plusSeconds(1);
        registry.replaceOnce(":yank", exchange -> TinyRegistry.problem(exchange, 500, "internal-error", "oh"));
        try (var client = client(KEY)) {
            var kit = client.bundle(RepositoryName.parse("acme/kit"));
            assertThatThrownBy(() -> kit.yank(Version.parse("1.0.0"), null, null, null))
                    .isInstanceOf(SheafException.class);
        }
        int before = asked();
        now = now.plusSeconds(1);

        resolve(EXACT);

        assertThat(asked()).isEqualTo(before + 1);
    }

    @Test
    void aClockThatWasSetBackMakesNothingLastLonger() {
        resolve(LATEST);
        now = now.minus(Duration.ofDays(30));

        resolve(LATEST);

        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void aDamagedAnswerIsAskedForAgain() throws IOException {
        resolve(LATEST);
        try (var files = Files.walk(folder.resolve("cache/answers"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.writeString(file, Files.readString(file).substring(10));
            }
        }

        assertThat(resolve(LATEST)).isEqualTo("1.0.0");
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void whatIsRefusedNowIsNotToldOfflineEither() {
        resolve(LATEST);
        registry.replaceOnce(":resolve", e -> TinyRegistry.problem(e, 404, "bundle-not-found", "none"));
        now = now.plus(Duration.ofMinutes(5));

        assertThatThrownBy(() -> resolve(LATEST)).isInstanceOf(SheafException.NotFound.class);

        assertThatThrownBy(() -> resolve(LATEST, KEY, PullOptions.DEFAULT.offline(true)))
                .isInstanceOf(SheafException.Offline.class);
    }

    @Test
    void anUnaskedFor304IsNoAnswer() {
        registry.replace(":resolve", exchange -> exchange.sendResponseHeaders(304, -1));

        assertThatThrownBy(() -> resolve(LATEST)).isInstanceOf(SheafException.Server.class);
    }
}
