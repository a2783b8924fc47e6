package dev.sheaf.client.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.client.api.Blob;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlobCacheTest {
    private static final byte[] BYTES = "some content".getBytes(StandardCharsets.UTF_8);
    private static final Blob BLOB = new Blob(Digest.sha256(BYTES), BYTES.length);

    @TempDir
    Path folder;

    private Path partial() {
        return folder.resolve("partial").resolve(BLOB.digest().hex());
    }

    @Test
    void whatADiskHadNoRoomForGoesAway() {
        var cache = new BlobCache(folder);

        assertThatThrownBy(() -> cache.stage(BLOB, file -> {
                    file.append(BYTES, 4);
                    throw new IOException("No space left on device");
                }))
                .isInstanceOf(IOException.class);

        assertThat(partial()).doesNotExist();
    }

    @Test
    void whatWasInterruptedOrCutOffStaysToGoOnWith() throws IOException {
        var cache = new BlobCache(folder);

        assertThatThrownBy(() -> cache.stage(BLOB, file -> {
                    file.append(BYTES, 4);
                    throw new ClosedByInterruptException();
                }))
                .isInstanceOf(IOException.class);
        assertThat(partial()).hasSize(4);
        cache.stage(BLOB, file -> {
            assertThat(file.length()).isEqualTo(4);
            file.append(" content".getBytes(StandardCharsets.UTF_8), 8);
        });

        assertThat(partial()).hasBinaryContent(BYTES);
    }
}
