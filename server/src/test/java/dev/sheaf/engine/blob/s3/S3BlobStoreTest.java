package dev.sheaf.engine.blob.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.blob.BlobStoreContract;
import dev.sheaf.engine.blob.DraftId;
import dev.sheaf.engine.blob.DraftLostException;
import dev.sheaf.engine.blob.ObjectId;
import dev.sheaf.engine.blob.SpoolFile;
import dev.sheaf.engine.blob.StoredItem;
import dev.sheaf.engine.blob.TransferBuffers;
import dev.sheaf.engine.metrics.CallTimes;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.testing.Buckets;
import dev.sheaf.server.testing.Line;
import dev.sheaf.server.testing.Ports;
import dev.sheaf.server.testing.Together;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // JUnit sets the folder, each() the rest
class S3BlobStoreTest {
    private static final int MIB = 1 << 20;

    @TempDir
    Path folder;

    S3Settings bucket;
    S3BlobStore store;
    private final AtomicInteger nodes = new AtomicInteger();

    @BeforeEach
    void open() {
        bucket = Buckets.fresh();
        store = node();
    }

    /// The store as another process has it.
    private S3BlobStore node() {
        return node(bucket);
    }

    private S3BlobStore node(S3Settings settings) {
        return new S3BlobStore(settings, spools(nodes.incrementAndGet()), 0, new TransferBuffers(), CallTimes.OFF);
    }

    private Path spools(int node) {
        return folder.resolve("spool-" + node);
    }

    @Nested
    class Contract extends BlobStoreContract {
        @Override
        public BlobStore store() {
            return store;
        }

        @Override
        public boolean presigns() {
            return true;
        }
    }

    @Nested
    class WithoutChecksums extends BlobStoreContract {
        @BeforeEach
        void open() {
            store = node(new S3Settings(
                    bucket.bucket(), bucket.region(), bucket.endpoint(), bucket.credentials(), true, false));
        }

        @Override
        public BlobStore store() {
            return store;
        }

        @Override
        public boolean presigns() {
            return true;
        }
    }

    @Test
    void inABucketOfAnotherInstallationNothingIsKnownToBeMissing() throws IOException {
        var bytes = BlobStoreContract.random(7, 100);
        var draft = store.begin();
        store.append(draft, 0, BlobStoreContract.stream(bytes, 0, 100));
        var object = store.complete(draft, Digest.sha256(bytes), 100);
        var missing = new ObjectId(Digest.sha256(bytes), store.begin().part());
        store.mark("one");
        assertThat(store.open(missing, 100)).isEmpty();

        node().mark("other");

        assertThatThrownBy(() -> store.open(missing, 100)).isInstanceOf(ProblemException.class);
        assertThat(store.open(object, 100)).isPresent();
    }

    @Test
    void contentOfManyPartsIsPutTogetherByWhicheverProcessGoesOn() throws IOException {
        var bytes = BlobStoreContract.random(3, 40 * MIB + 12_345);
        var draft = store.begin();
        int[] ends = {100, 20_000, 9 * MIB, 9 * MIB, 25 * MIB + 7, bytes.length};
        int written = 0;
        for (int end : ends) {
            var process = node();
            process.append(draft, written, BlobStoreContract.stream(bytes, written, end));
            var next = DraftId.parse(process.sync(draft).toString());
            process.release(draft, next);
            draft = next;
            written = end;
        }

        var object = node().complete(draft, Digest.sha256(bytes), bytes.length);

        assertThat(read(object, bytes.length, 0, bytes.length)).isEqualTo(bytes);
        assertThat(read(object, bytes.length, 7 * MIB, 3 * MIB))
                .isEqualTo(Arrays.copyOfRange(bytes, 7 * MIB, 10 * MIB));
        assertThat(Buckets.keys(bucket)).containsExactly("objects/" + object.part());
        assertNothingIsSpooled();
    }

    @Test
    void uploadsInPartsAreListedAndRemoved() throws IOException {
        var bytes = BlobStoreContract.random(9, 9 * MIB);
        var draft = store.begin();
        store.append(draft, 0, BlobStoreContract.stream(bytes, 0, bytes.length));
        draft = store.sync(draft);
        Buckets.overwrite(bucket, "objects/notes", new byte[1]);
        Buckets.overwrite(bucket, "notes", new byte[1]);

        var items = new ArrayList<StoredItem>();
        var page = store.list("", 1);
        while (!page.isEmpty()) {
            items.addAll(page);
            page = store.list(page.getLast().name(), 1);
        }

        assertThat(items).extracting(StoredItem::part).containsExactlyInAnyOrderElementsOf(store.parts(draft.brief()));
        assertThat(items).extracting(StoredItem::kind).containsExactly(StoredItem.Kind.OBJECT, StoredItem.Kind.UPLOAD);
        items.forEach(store::remove);
        assertThat(store.list("", 1_000)).isEmpty();
        assertThat(Buckets.keys(bucket)).containsExactlyInAnyOrder("notes", "objects/notes");
    }

    @Test
    void completingManyPartsAgainGivesTheSameObject() throws IOException {
        var bytes = BlobStoreContract.random(4, 20 * MIB);
        var draft = store.begin();
        store.append(draft, 0, BlobStoreContract.stream(bytes, 0, bytes.length));
        draft = store.sync(draft);

        var first = store.complete(draft, Digest.sha256(bytes), bytes.length);
        var second = node().complete(draft, Digest.sha256(bytes), bytes.length);

        assertThat(second).isEqualTo(first);
        assertThat(read(second, bytes.length, 0, bytes.length)).isEqualTo(bytes);
    }

    @Test
    void processesThatGoOnFromOneStateNeverMixTheirBytes() throws Exception {
        var bytes = BlobStoreContract.random(5, 10 * MIB);
        var draft = store.begin();
        store.append(draft, 0, BlobStoreContract.stream(bytes, 0, bytes.length));
        var begun = store.sync(draft);

        var ends = Together.run(4, i -> () -> {
            var process = node();
            var own = BlobStoreContract.random(100 + i, 18 * MIB);
            process.append(begun, bytes.length, BlobStoreContract.stream(own, 0, own.length));
            return process.sync(begun);
        });

        int winner = 2;
        byte[] whole = Arrays.copyOf(bytes, 28 * MIB);
        System.arraycopy(BlobStoreContract.random(100 + winner, 18 * MIB), 0, whole, 10 * MIB, 18 * MIB);
        try {
            var object = store.complete(ends.get(winner), Digest.sha256(whole), whole.length);
            assertThat(read(object, whole.length, 0, whole.length)).isEqualTo(whole);
        } catch (DraftLostException e) {
            var numbers = ends.stream()
                    .flatMap(end -> S3Draft.of(end).parts().stream().skip(1))
                    .map(S3Draft.Part::number)
                    .toList();
            assertThat(numbers.stream().distinct())
                    .as("two processes took the same number of %s, which completing noticed", numbers)
                    .hasSizeLessThan(numbers.size());
        }
    }

    @Test
    void aPartThatWasOverwrittenIsNoticed() throws IOException {
        var bytes = BlobStoreContract.random(11, 10 * MIB);
        var draft = store.begin();
        store.append(draft, 0, BlobStoreContract.stream(bytes, 0, bytes.length));
        var synced = store.sync(draft);
        var state = S3Draft.of(synced);
        try (var spool = new SpoolFile(spools(1))) {
            spool.write(new byte[8 * MIB], 8 * MIB);
            new S3Bucket(bucket, CallTimes.OFF)
                    .upload(
                            Objects.requireNonNull(state.upload()),
                            state.parts().getFirst().number(),
                            spool);
        } catch (S3Bucket.GoneException e) {
            throw new AssertionError(e);
        }

        assertThatThrownBy(() -> store.complete(synced, Digest.sha256(bytes), bytes.length))
                .isInstanceOf(DraftLostException.class);

        assertThat(store.open(
                        new ObjectId(
                                Digest.sha256(bytes),
                                Objects.requireNonNull(state.upload()).object()),
                        bytes.length))
                .isEmpty();
    }

    @Test
    void contentOfLessThanAPartIsOneObjectFromTheFirstRequestOn() throws IOException {
        var bytes = BlobStoreContract.random(6, 3 * MIB);
        var draft = store.begin();
        store.append(draft, 0, BlobStoreContract.stream(bytes, 0, bytes.length));
        var synced = store.sync(draft);
        var before = Buckets.keys(bucket);

        var object = store.complete(synced, Digest.sha256(bytes), bytes.length);

        assertThat(before).hasSize(1);
        assertThat(Buckets.keys(bucket)).isEqualTo(before).containsExactly("objects/" + object.part());
    }

    @Test
    void whatIsAbortedLeavesNothingInTheBucket() throws IOException {
        for (int size : new int[] {10, 100_000, 20 * MIB}) {
            var bytes = BlobStoreContract.random(7, size);
            var draft = store.begin();
            store.append(draft, 0, BlobStoreContract.stream(bytes, 0, size));
            var synced = store.sync(draft);
            if (size > MIB) {
                store.complete(synced, Digest.sha256(bytes), size);
            }

            node().abort(DraftId.parse(synced.brief().toString()));
            node().abort(synced.brief());

            assertThat(Buckets.keys(bucket)).isEmpty();
            assertThat(synced.brief().toString()).hasSizeLessThan(1_000);
        }
        assertNothingIsSpooled();
    }

    @Test
    void aStreamThatBreaksLeavesNothingBehind() {
        var draft = store.begin();

        assertThatThrownBy(
                        () -> store.append(draft, 0, BlobStoreContract.breaking(BlobStoreContract.random(8, 20 * MIB))))
                .isInstanceOf(IOException.class);

        assertThat(Buckets.keys(bucket)).isEmpty();
        assertThat(Buckets.store().listMultipartUploads(bucket.bucket())).isEmpty();
        assertNothingIsSpooled();
    }

    @Test
    void whatAKilledProcessSpooledIsRemoved() throws IOException {
        Files.createDirectories(spools(2));
        Files.writeString(spools(2).resolve("left"), "over");

        node();

        assertNothingIsSpooled();
    }

    @Test
    void aBucketThatIsNotThereIsRefusedAndNotCreated() {
        assertThatThrownBy(() -> node(Buckets.settings("no-such-bucket", Buckets.SECRET)))
                .isInstanceOf(BucketException.class)
                .hasMessage("the bucket no-such-bucket does not exist; create it, or correct s3-bucket");
        assertThat(Buckets.store().containerExists("no-such-bucket")).isFalse();
    }

    @Test
    void aWrongSecretIsRefusedWithoutBeingShown() {
        assertThatThrownBy(() -> node(Buckets.settings(bucket.bucket(), "wrong-secret")))
                .isInstanceOf(BucketException.class)
                .hasMessageContaining("s3-secret-access-key")
                .hasMessageNotContaining("wrong-secret");
    }

    @Test
    void aServerThatIsNotThereIsRefused() {
        var nowhere = new S3Settings(
                "bucket",
                "us-east-1",
                URI.create("http://127.0.0.1:" + Ports.free()),
                bucket.credentials(),
                true,
                true);

        assertThatThrownBy(() -> node(nowhere))
                .isInstanceOf(BucketException.class)
                .hasMessageContaining("the bucket bucket cannot be reached")
                .hasMessageNotContaining(Buckets.SECRET);
    }

    @Test
    void aBucketThatGoesAwayIsTheStoresFailureAndNamesNoSecret() throws IOException {
        var bytes = BlobStoreContract.random(9, 100_000);
        var draft = store.begin();
        var object = new ObjectId(Digest.sha256(bytes), draft.part());
        Buckets.store().deleteBucket(bucket.bucket());

        store.append(draft, 0, BlobStoreContract.stream(bytes, 0, bytes.length));

        var unavailable = new Problem.Unavailable("the blob store failed; try again", 5);
        assertThatThrownBy(() -> store.complete(draft, Digest.sha256(bytes), bytes.length))
                .isInstanceOfSatisfying(
                        ProblemException.class, e -> assertThat(e.problem()).isEqualTo(unavailable));
        assertThatThrownBy(() -> store.open(object, bytes.length))
                .as("nothing is missing where the bucket is")
                .isInstanceOfSatisfying(
                        ProblemException.class, e -> assertThat(e.problem()).isEqualTo(unavailable));
        assertNothingIsSpooled();
    }

    @Test
    void aReadThatBreaksOffGoesOnWhereItStood() throws IOException {
        var bytes = BlobStoreContract.random(12, 2 * MIB);
        var draft = store.begin();
        store.append(draft, 0, BlobStoreContract.stream(bytes, 0, bytes.length));
        var object = store.complete(draft, Digest.sha256(bytes), bytes.length);
        try (var line = new Line(Objects.requireNonNull(bucket.endpoint()), 300_000)) {
            var far = node(new S3Settings(
                    bucket.bucket(),
                    bucket.region(),
                    URI.create("http://127.0.0.1:" + line.port()),
                    bucket.credentials(),
                    true,
                    true));
            var out = new ByteArrayOutputStream();

            far.open(object, bytes.length).orElseThrow().writeTo(out, 100, bytes.length - 200);

            assertThat(out.toByteArray()).isEqualTo(Arrays.copyOfRange(bytes, 100, bytes.length - 100));
            assertThat(line.connections()).isGreaterThan(6);
        }
    }

    @Test
    void anObjectThatShrinksWhileItIsReadIsAnError() throws IOException {
        var bytes = BlobStoreContract.random(13, 100_000);
        var draft = store.begin();
        store.append(draft, 0, BlobStoreContract.stream(bytes, 0, bytes.length));
        var object = store.complete(draft, Digest.sha256(bytes), bytes.length);
        var opened = store.open(object, bytes.length).orElseThrow();

        Buckets.overwrite(bucket, "objects/" + object.part(), new byte[50_000]);

        assertThat(store.open(object, bytes.length)).isEmpty();
        assertThatThrownBy(() -> opened.writeTo(new ByteArrayOutputStream(), 0, bytes.length))
                .isInstanceOf(IOException.class);
    }

    @Test
    void anObjectThatGoesAwayWhileItIsReadIsAnError() throws IOException {
        var bytes = BlobStoreContract.random(10, 100_000);
        var draft = store.begin();
        store.append(draft, 0, BlobStoreContract.stream(bytes, 0, bytes.length));
        var object = store.complete(draft, Digest.sha256(bytes), bytes.length);
        var opened = store.open(object, bytes.length).orElseThrow();

        store.delete(object);

        assertThatThrownBy(() -> opened.writeTo(new ByteArrayOutputStream(), 0, 10))
                .isInstanceOf(IOException.class);
    }

    private byte[] read(ObjectId object, long length, long offset, long count) throws IOException {
        var out = new ByteArrayOutputStream();
        store.open(object, length).orElseThrow().writeTo(out, offset, count);
        return out.toByteArray();
    }

    private void assertNothingIsSpooled() {
        for (int i = 1; i <= nodes.get(); i++) {
            assertThat(spools(i)).isEmptyDirectory();
        }
    }
}
