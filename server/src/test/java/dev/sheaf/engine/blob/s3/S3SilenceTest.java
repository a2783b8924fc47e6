package dev.sheaf.engine.blob.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.blob.BlobStoreContract;
import dev.sheaf.engine.blob.ObjectId;
import dev.sheaf.engine.blob.StoredObject;
import dev.sheaf.engine.blob.TransferBuffers;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.testing.Buckets;
import dev.sheaf.server.testing.Line;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How long a bucket that is silent lets others wait.
@SuppressWarnings("NullAway.Init") // JUnit sets the folder, open() the rest
class S3SilenceTest {
    private static final int MIB = 1 << 20;
    private static final Duration SILENCE = Duration.ofMillis(7_500);

    private record Call(String name, long nanos) {}

    @TempDir
    Path folder;

    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private Line line;
    private S3Bucket bucket;
    private S3BlobStore store;

    @BeforeEach
    void open() throws IOException {
        var settings = Buckets.fresh();
        line = new Line(Objects.requireNonNull(settings.endpoint()), Long.MAX_VALUE);
        var far = new S3Settings(
                settings.bucket(),
                settings.region(),
                URI.create("http://127.0.0.1:" + line.port()),
                settings.credentials(),
                true,
                true);
        bucket = new S3Bucket(far, this::note, new S3Limits(SILENCE));
        store = new S3BlobStore(bucket, folder, 0, new TransferBuffers());
    }

    @AfterEach
    void close() throws IOException {
        line.close();
    }

    private void note(String call, long nanos, @Nullable Throwable failure) {
        calls.add(new Call(call, nanos));
    }

    private List<Call> calls(String name) {
        return calls.stream().filter(call -> call.name().equals(name)).toList();
    }

    private StoredObject stored(byte[] bytes) throws IOException {
        return store.open(put(bytes), bytes.length).orElseThrow();
    }

    private ObjectId put(byte[] bytes) throws IOException {
        var draft = store.begin();
        store.append(draft, 0, BlobStoreContract.stream(bytes, 0, bytes.length));
        return store.complete(draft, Digest.sha256(bytes), bytes.length);
    }

    @Test
    void aDownloadWaitsOnceForASilentBucketAndItsSilenceCounts() throws IOException {
        var object = stored(BlobStoreContract.random(1, MIB));
        line.holdContent(true);

        for (int i = 1; i <= CircuitBreaker.FAILURES; i++) {
            assertThat(store.isRefusing()).isFalse();
            assertThatThrownBy(() -> object.writeTo(OutputStream.nullOutputStream(), 0, MIB))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("from byte 0 on");
            // the head of an answer says that the bucket answers, so each silence is the first in a row
            assertThat(calls("get")).hasSize(i);
            assertThat(bucket.calls().isInDoubt()).isTrue();
        }
    }

    @Test
    void aDownloadThatMovesIsNotCutHoweverLongItTakes() throws IOException {
        var bytes = BlobStoreContract.random(2, 8 * MIB);
        var object = stored(bytes);
        var read = new ByteArrayOutputStream();
        long since = System.nanoTime();
        var slow = new OutputStream() {
            @Override
            public void write(int b) {
                read.write(b);
            }

            @Override
            public void write(byte[] piece, int offset, int count) {
                read.write(piece, offset, count);
                if (read.size() > MIB && read.size() <= MIB + count) { // once
                    LockSupport.parkNanos(SILENCE.toNanos() * 3 / 2);
                }
            }
        };

        object.writeTo(slow, 0, bytes.length);

        assertThat(System.nanoTime() - since).as("it was slow").isGreaterThan(SILENCE.toNanos());
        assertThat(read.toByteArray()).isEqualTo(bytes);
        assertThat(calls("get")).hasSize(1);
    }

    @Test
    void smallCallsWaitOnceForASilentBucket() throws IOException {
        var known = put(BlobStoreContract.random(3, 100_000));
        calls.clear();
        line.freeze();
        try {
            assertThatThrownBy(() -> put(BlobStoreContract.random(4, 100_000))).isInstanceOf(ProblemException.class);
            assertThatThrownBy(() -> store.open(known, 100_000)).isInstanceOf(ProblemException.class);
            assertThat(store.isRefusing()).isFalse();
            assertThatThrownBy(() -> store.delete(known)).isInstanceOf(ProblemException.class);
        } finally {
            line.thaw();
        }

        assertThat(calls).extracting(Call::name).containsExactly("put", "look", "delete");
        assertThat(calls)
                .allSatisfy(call -> assertThat(Duration.ofNanos(call.nanos()))
                        .isLessThan(SILENCE.multipliedBy(19).dividedBy(10)));
        assertThat(Duration.ofNanos(calls("look").getFirst().nanos()))
                .as("less than half of it, so that a proxy can ask another node")
                .isLessThan(SILENCE.multipliedBy(9).dividedBy(10));
        assertThat(store.isRefusing()).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    /// Each clean-up would wait as long as the call that failed.
    @Test
    void whereAnUploadFailedNothingIsAskedToCleanUp() {
        var bytes = BlobStoreContract.random(5, 8 * MIB);
        var draft = store.begin();
        var cut = new InputStream() { // follows the first part, which is sent when it begins
                    @Override
                    public int read() {
                        try {
                            line.cut();
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                        return -1;
                    }
                };
        var more = BlobStoreContract.stream(BlobStoreContract.random(6, 16 * MIB), 0, 16 * MIB);
        var all = new SequenceInputStream(
                BlobStoreContract.stream(bytes, 0, bytes.length),
                new SequenceInputStream(
                        BlobStoreContract.stream(BlobStoreContract.random(7, MIB), 0, MIB),
                        new SequenceInputStream(cut, more)));

        assertThatThrownBy(() -> store.append(draft, 0, all)).isInstanceOf(ProblemException.class);

        assertThat(calls("upload")).hasSize(2);
        assertThat(calls("abort")).isEmpty();
    }

    @Test
    void largeContentHasTimeToArrive() {
        assertThat(S3Limits.USUAL.toSend(0)).isEqualTo(Duration.ofSeconds(10));
        assertThat(S3Limits.USUAL.toSend(8 * MIB).toSeconds()).isEqualTo(TimeUnit.MINUTES.toSeconds(1) + 1);
    }
}
