package dev.sheaf.engine.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.Digest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// What every blob store does.
public abstract class BlobStoreContract {
    private static final int SIZE = 200_000;
    private final long seed = System.nanoTime();
    private final byte[] bytes = random(seed, SIZE);
    private final Digest digest = Digest.sha256(bytes);

    public abstract BlobStore store();

    @Test
    public void whatIsCompletedCanBeReadWholeAndInPart() throws IOException {
        var draft = store().begin();
        store().append(draft, 0, stream(bytes, 0, SIZE));

        var object = store().complete(draft, digest, SIZE);

        var opened = store().open(object, SIZE).orElseThrow();
        assertThat(opened.length()).isEqualTo(SIZE);
        assertThat(read(opened, 0, SIZE)).as("seed %d", seed).isEqualTo(bytes);
        assertThat(read(opened, 70_000, 66_000)).isEqualTo(Arrays.copyOfRange(bytes, 70_000, 136_000));
        assertThat(read(opened, SIZE, 0)).isEmpty();
    }

    @Test
    public void theMarkIsKept() {
        assertThat(store().mark()).isEmpty();

        store().mark("one");
        store().mark("two");

        assertThat(store().mark()).contains("two");
        assertThat(store().list("", 10)).as("no object").isEmpty();
        assertThat(store().open(new ObjectId(digest, store().begin().part()), SIZE))
                .isEmpty();
    }

    @Test
    public void chunksAppendOneAfterAnother() throws IOException {
        var draft = store().begin();
        var random = new Random(seed);
        int written = 0;
        while (written < SIZE) {
            int end = Math.min(SIZE, written + random.nextInt(1, 70_000));
            long count = store().append(draft, written, stream(bytes, written, end));
            draft = store().sync(draft);
            assertThat(count).isEqualTo(end - written);
            written = end;
        }

        var object = store().complete(draft, digest, SIZE);

        assertThat(read(store().open(object, SIZE).orElseThrow(), 0, SIZE))
                .as("seed %d", seed)
                .isEqualTo(bytes);
    }

    @Test
    public void anAppendCutsOffWhatAFailedOneLeftBehind() throws IOException {
        var draft = synced(1_000);
        assertThatThrownBy(() -> store().append(draft, 1_000, breaking(new byte[150_000])))
                .isInstanceOf(IOException.class);

        store().append(draft, 1_000, stream(bytes, 1_000, 1_500));

        var part = Arrays.copyOf(bytes, 1_500);
        var object = store().complete(draft, Digest.sha256(part), 1_500);
        assertThat(read(store().open(object, 1_500).orElseThrow(), 0, 1_500)).isEqualTo(part);
    }

    @Test
    public void anAppendBeyondWhatTheDraftHoldsIsRefused() throws IOException {
        var draft = store().begin();
        store().append(draft, 0, stream(bytes, 0, 10));

        assertThatThrownBy(() -> store().append(draft, 11, stream(bytes, 11, 20)))
                .isInstanceOf(DraftLostException.class);
    }

    @Test
    public void completingChecksTheLength() throws IOException {
        var draft = store().begin();
        store().append(draft, 0, stream(bytes, 0, 10));

        assertThatThrownBy(() -> store().complete(draft, digest, 11)).isInstanceOf(DraftLostException.class);
    }

    @Test
    public void completingTwiceGivesTheSameObject() throws IOException {
        var draft = synced(SIZE);
        var first = store().complete(draft, digest, SIZE);

        var second = store().complete(draft, digest, SIZE);

        assertThat(second).isEqualTo(first);
        assertThat(store().open(second, SIZE)).isPresent();
    }

    @Test
    public void aReopenedDraftGoesOnWhereItStood() throws IOException {
        var draft = synced(50_000);
        var early = store().complete(draft, Digest.sha256(Arrays.copyOf(bytes, 50_000)), 50_000);

        store().reopen(draft, early.digest());

        store().append(draft, 50_000, stream(bytes, 50_000, SIZE));
        var object = store().complete(draft, digest, SIZE);
        assertThat(read(store().open(object, SIZE).orElseThrow(), 0, SIZE)).isEqualTo(bytes);
    }

    @Test
    public void reopeningADraftThatWasNeverCompletedDoesNothing() throws IOException {
        var draft = store().begin();
        store().append(draft, 0, stream(bytes, 0, SIZE));

        store().reopen(draft, digest);

        assertThat(store().complete(draft, digest, SIZE).digest()).isEqualTo(digest);
    }

    @Test
    public void anEmptyObjectIsAnObject() {
        var draft = store().begin();
        var empty = Digest.sha256(new byte[0]);

        var object = store().complete(draft, empty, 0);

        assertThat(store().open(object, 0))
                .hasValueSatisfying(opened -> assertThat(opened.length()).isZero());
    }

    @Test
    public void twoUploadsOfADigestAreTwoObjects() throws IOException {
        var first = put();
        var second = put();

        store().delete(first);

        assertThat(first).isNotEqualTo(second);
        assertThat(store().open(first, SIZE)).isEmpty();
        assertThat(store().open(second, SIZE)).isPresent();
    }

    @Test
    public void anObjectOfAnotherLengthIsNotOpened() throws IOException {
        var object = put();

        assertThat(store().open(object, SIZE - 1)).isEmpty();
    }

    /// Whether URLs are given out, which then give the bytes.
    public boolean presigns() {
        return false;
    }

    @Test
    public void aPresignedUrlGivesTheBytesWholeAndInPart() throws Exception {
        var draft = store().begin();
        store().append(draft, 0, stream(bytes, 0, SIZE));
        var object = store().complete(draft, digest, SIZE);

        var url = store().presign(object, Duration.ofMinutes(1));

        assertThat(url.isPresent()).isEqualTo(presigns());
        if (url.isPresent()) {
            try (var client = HttpClient.newHttpClient()) {
                var whole = client.send(HttpRequest.newBuilder(url.get()).build(), BodyHandlers.ofByteArray());
                assertThat(whole.statusCode()).isEqualTo(200);
                assertThat(whole.body()).isEqualTo(bytes);
                assertThat(whole.headers().firstValue("Content-Type")).contains("application/octet-stream");
                var part = client.send(
                        HttpRequest.newBuilder(url.get())
                                .header("Range", "bytes=70000-70999")
                                .build(),
                        BodyHandlers.ofByteArray());
                assertThat(part.statusCode()).isEqualTo(206);
                assertThat(part.body()).isEqualTo(Arrays.copyOfRange(bytes, 70_000, 71_000));
            }
        }
    }

    @Test
    public void deletingAndAbortingTwiceIsFine() throws IOException {
        var object = put();
        var draft = store().begin();
        store().append(draft, 0, stream(bytes, 0, 10));

        for (int i = 0; i < 2; i++) {
            store().delete(object);
            store().abort(draft);
        }

        assertThat(store().open(object, SIZE)).isEmpty();
        assertThatThrownBy(() -> store().append(draft, 10, stream(bytes, 10, 20)))
                .isInstanceOf(DraftLostException.class);
    }

    @Test
    public void whatIsNotSyncedIsForgottenWithoutATrace() throws IOException {
        var draft = synced(1_000);
        store().append(draft, 1_000, stream(bytes, 5_000, 7_000));

        store().leave(draft);

        store().append(draft, 1_000, stream(bytes, 1_000, SIZE));
        var object = store().complete(draft, digest, SIZE);
        assertThat(read(store().open(object, SIZE).orElseThrow(), 0, SIZE)).isEqualTo(bytes);
    }

    @Test
    public void aDraftIsRead() throws IOException {
        for (int length : new int[] {1, 30_000, 100_000}) {
            var draft = synced(length);

            assertThat(store().read(draft, length)).isEqualTo(Arrays.copyOf(bytes, length));
            assertThatThrownBy(() -> store().read(draft, length + 1)).isInstanceOf(DraftLostException.class);
        }
    }

    @Test
    public void anAbortedDraftIsGoneAndTakesNoOtherWithIt() throws IOException {
        var draft = synced(SIZE);
        var other = synced(SIZE);

        store().abort(draft.brief());

        assertThatThrownBy(() -> store().complete(draft, digest, SIZE + 1)).isInstanceOf(DraftLostException.class);
        var object = store().complete(other, digest, SIZE);
        assertThat(read(store().open(object, SIZE).orElseThrow(), 0, SIZE)).isEqualTo(bytes);
    }

    @Test
    public void everythingThatLiesInTheStoreIsListedInPages() throws IOException {
        var expected = new TreeSet<String>();
        for (int i = 0; i < 5; i++) {
            expected.add(put().part());
        }
        expected.addAll(store().parts(synced(SIZE).brief()));
        var listed = new ArrayList<StoredItem>();
        var page = store().list("", 2);
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(2);
            listed.addAll(page);
            page = store().list(page.getLast().name(), 2);
        }

        assertThat(listed).extracting(StoredItem::part).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(listed).isSortedAccordingTo(Comparator.comparing(StoredItem::name));
        assertThat(listed).extracting(StoredItem::size).containsOnly((long) SIZE);
        assertThat(store().list("", 1_000)).isEqualTo(listed);
    }

    @Test
    public void whatWasPutAsideIsFoundByWhoeverNeedsItAndElseRemoved() throws IOException {
        var needed = put();
        var needless = put();
        for (var item : store().list("", 10)) {
            var aside = store().quarantine(item);
            assertThat(store().list("", 10)).contains(aside);
            assertThat(store().quarantine(aside)).isEqualTo(aside);
        }
        var other = put();

        assertThat(store().open(needed, SIZE)).isPresent();

        for (var item : store().list("", 10)) {
            if (item.part().equals(needless.part())) {
                store().remove(item);
                store().remove(item);
                store().bringBack(item);
            }
        }
        assertThat(store().open(needless, SIZE)).isEmpty();
        assertThat(store().list("", 10))
                .extracting(StoredItem::part)
                .containsExactlyInAnyOrder(needed.part(), other.part());
    }

    @Test
    public void whatWasPutAsideIsBroughtBack() throws IOException {
        var object = put();
        var before = store().list("", 10);

        store().bringBack(store().quarantine(before.getFirst()));

        assertThat(store().list("", 10)).isEqualTo(before);
        assertThat(store().open(object, SIZE)).isPresent();
    }

    /// A draft that holds the first bytes.
    private DraftId synced(int length) throws IOException {
        var draft = store().begin();
        store().append(draft, 0, stream(bytes, 0, length));
        return store().sync(draft);
    }

    private ObjectId put() throws IOException {
        var draft = store().begin();
        store().append(draft, 0, stream(bytes, 0, SIZE));
        return store().complete(draft, digest, SIZE);
    }

    public static byte[] random(long seed, int size) {
        var random = new byte[size];
        new Random(seed).nextBytes(random);
        return random;
    }

    public static InputStream stream(byte[] bytes, int from, int to) {
        return new ByteArrayInputStream(bytes, from, to - from);
    }

    /// A stream that gives these bytes and then fails, like a connection that breaks.
    public static InputStream breaking(byte[] bytes) {
        var content = new ByteArrayInputStream(bytes);
        return new InputStream() {
            @Override
            public int read() throws IOException {
                int next = content.read();
                if (next < 0) {
                    throw new IOException("the connection broke");
                }
                return next;
            }
        };
    }

    private static byte[] read(StoredObject object, long offset, long count) throws IOException {
        var out = new ByteArrayOutputStream();
        object.writeTo(out, offset, count);
        return out.toByteArray();
    }
}
