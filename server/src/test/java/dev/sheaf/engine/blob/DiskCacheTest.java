package dev.sheaf.engine.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskCacheTest {
    private static final byte[] BYTES = new byte[10_000];
    private static final Digest KEY = Digest.sha256(BYTES);
    private static final long MOST = 100_000;

    private final AtomicInteger made = new AtomicInteger();

    @TempDir
    private Path folder;

    private DiskCache cache(long minimumFree) {
        return new DiskCache(
                folder, DiskRoom.of(folder, minimumFree), new TransferBuffers(), MOST, Duration.ofMinutes(1));
    }

    private void write(OutputStream out) throws IOException {
        made.incrementAndGet();
        out.write(BYTES);
    }

    private void ask(DiskCache cache, Digest key) throws IOException {
        var out = new ByteArrayOutputStream();
        cache.write(key, BYTES.length, this::write, out);
        assertThat(out.toByteArray()).isEqualTo(BYTES);
    }

    private List<Path> files() throws IOException {
        try (var all = Files.list(folder)) {
            return all.toList();
        }
    }

    @Test
    void whatIsAskedForAgainIsKept() throws Exception {
        var cache = cache(0);
        ask(cache, KEY);
        assertThat(files()).isEmpty();
        ask(cache, KEY);
        assertThat(files()).hasSize(1);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files().getFirst())))
                .isEqualTo("rw-------");
        ask(cache, KEY);
        ask(cache, KEY);
        assertThat(made).hasValue(2);
    }

    @Test
    void theOldestGoForOthers() throws Exception {
        var cache = cache(0);
        for (int i = 0; i < 40; i++) {
            var key = Digest.sha256(new byte[] {(byte) i});
            ask(cache, key);
            ask(cache, key);
        }
        assertThat(files()).hasSizeBetween(5, (int) (MOST / BYTES.length));
    }

    @Test
    void whatIsTooLongIsNotKept() throws Exception {
        var cache = cache(0);
        for (int i = 0; i < 3; i++) {
            cache.write(KEY, MOST / 4 + 1, this::write, OutputStream.nullOutputStream());
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void aFullDiskHoldsNobodyUp() throws Exception {
        var cache = cache(Long.MAX_VALUE / 2);
        ask(cache, KEY);
        ask(cache, KEY);
        assertThat(files()).isEmpty();
    }

    @Test
    void aFileThatSomebodyDeletedIsMissedByNobody() throws Exception {
        var cache = cache(0);
        ask(cache, KEY);
        ask(cache, KEY);
        Files.delete(files().getFirst());
        ask(cache, KEY);
        assertThat(made).hasValue(3);
    }

    @Test
    void whatFailsLeavesNothing() throws Exception {
        var cache = cache(0);
        DiskCache.Maker failing = out -> {
            out.write(1);
            throw new IOException("gone");
        };
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> cache.write(KEY, 10, failing, OutputStream.nullOutputStream()))
                    .hasMessage("gone");
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void whatIsClearedIsGoneAlsoWhatIsBeingMade() throws Exception {
        var cache = cache(0);
        ask(cache, KEY);
        cache.write(
                KEY,
                BYTES.length,
                out -> {
                    cache.clear();
                    write(out);
                },
                OutputStream.nullOutputStream());
        assertThat(files()).isEmpty();
        ask(cache, KEY);
        assertThat(files()).hasSize(1);
        cache.clear();
        assertThat(files()).isEmpty();
    }

    /// What many ask for at one time must not take more of the disk than is said.
    @Test
    void twoAreMadeAtOneTime() throws Exception {
        var cache = cache(0);
        for (int i = 0; i < 3; i++) {
            ask(cache, key(i));
        }
        nested(cache, 0);
        assertThat(files()).hasSize(2);
    }

    private static Digest key(int number) {
        return Digest.sha256(new byte[] {(byte) number});
    }

    /// Asks for the next while this one is made.
    private void nested(DiskCache cache, int number) throws IOException {
        cache.write(
                key(number),
                BYTES.length,
                out -> {
                    if (number < 2) {
                        nested(cache, number + 1);
                    }
                    write(out);
                },
                OutputStream.nullOutputStream());
    }
}
