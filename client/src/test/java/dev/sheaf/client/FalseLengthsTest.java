package dev.sheaf.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.Pulled;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.testing.TinyContent;
import dev.sheaf.client.testing.TinyRegistry;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.bundle.Layer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Limits on how much a registry can make a client fetch.
class FalseLengthsTest {
    private static final Reference KIT = Reference.parse("acme/kit:1.0.0");
    private static final byte[] BYTES = "content".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    private final TinyRegistry registry = TinyRegistry.start();

    @AfterEach
    void stop() {
        registry.close();
    }

    private Pulled pull(long most) {
        try (var client = SheafClient.of(registry.url())
                .cache(folder.resolve("cache"))
                .pause(wait -> {})
                .open()) {
            return client.pull(KIT, folder.resolve("out"), PullOptions.DEFAULT.mostBytes(most));
        }
    }

    @Test
    void theUserMayAllowLess() {
        registry.content.publish("acme/kit:1.0.0", Map.of("a", BYTES));

        assertThatThrownBy(() -> pull(BYTES.length - 1))
                .isInstanceOf(SheafException.InvalidRequest.class)
                .hasMessageContaining("the limit for a pull");

        assertThat(registry.requests("/v2/")).isEmpty();
        assertThat(pull(BYTES.length).assets()).hasSize(1);
    }

    /// A petabyte, more than any disk of a test has, in an answer and a manifest that agree.
    @Test
    void moreThanTheDiskHasRoomForIsNotFetched() throws IOException {
        long size = 1L << 50;
        String honest =
                registry.content.publish("acme/kit:1.0.0", Map.of("a", BYTES)).ociDigest();
        String digest = registry.content.rewritten(honest, "\"size\":" + BYTES.length, "\"size\":" + size);
        registry.content.versions.put(
                "acme/kit:1.0.0",
                TinyContent.resolution(
                        RepositoryName.parse("acme/kit"),
                        Version.parse("1.0.0"),
                        Digest.parse(digest),
                        List.of(new Layer(
                                UUID.randomUUID(),
                                "a",
                                "other",
                                Digest.sha256(BYTES).hex(),
                                size,
                                "text/plain",
                                null))));

        assertThatThrownBy(() -> pull(Long.MAX_VALUE))
                .isInstanceOf(SheafException.Local.class)
                .hasMessageContaining("not enough disk space");

        assertThat(registry.requests("/blobs/")).isEmpty();
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(folder.resolve("cache/partial").toFile().list()).isNullOrEmpty();
    }
}
