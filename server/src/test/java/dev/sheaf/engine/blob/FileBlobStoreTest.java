package dev.sheaf.engine.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.metrics.CallTimes;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("NullAway.Init") // JUnit sets the folder, each() the store
class FileBlobStoreTest {
    @TempDir
    Path folder;

    FileBlobStore store;

    @BeforeEach
    void open() {
        store = new FileBlobStore(folder.resolve("blobs"), 0, new TransferBuffers(), CallTimes.OFF);
    }

    @Nested
    class Contract extends BlobStoreContract {
        @Override
        public BlobStore store() {
            return store;
        }
    }

    @Test
    void aTruncatedObjectIsNotOpened() throws IOException {
        var bytes = BlobStoreContract.random(1, 100_000);
        var draft = store.begin();
        store.append(draft, 0, BlobStoreContract.stream(bytes, 0, bytes.length));
        var object = store.complete(draft, Digest.sha256(bytes), bytes.length);

        try (var file = FileChannel.open(onlyFile(), StandardOpenOption.WRITE)) {
            file.truncate(99_999);
        }

        assertThat(store.open(object, bytes.length)).isEmpty();
    }

    /// A volume that is not mounted: whoever misses an object there stops to trust its blob.
    @Test
    void aStoreThatIsGoneMissesNoObject() throws IOException {
        var bytes = BlobStoreContract.random(3, 100_000);
        var draft = store.begin();
        store.append(draft, 0, BlobStoreContract.stream(bytes, 0, bytes.length));
        var object = store.complete(draft, Digest.sha256(bytes), bytes.length);
        Path mounted = folder.resolve("blobs");
        Path elsewhere = Files.move(mounted, folder.resolve("elsewhere"));
        Files.createDirectory(mounted);

        assertThatThrownBy(() -> store.open(object, bytes.length))
                .isInstanceOfSatisfying(
                        ProblemException.class, e -> assertThat(e.problem()).isInstanceOf(Problem.Unavailable.class));

        Files.delete(mounted);
        Files.move(elsewhere, mounted);
        assertThat(store.open(object, bytes.length)).isPresent();
    }

    @Test
    void aStoreOpenedAgainHasEverything() throws IOException {
        var bytes = BlobStoreContract.random(2, 100_000);
        var draft = store.begin();
        store.append(draft, 0, BlobStoreContract.stream(bytes, 0, 40_000));
        store.sync(draft);

        var again = new FileBlobStore(folder.resolve("blobs"), 0, new TransferBuffers(), CallTimes.OFF);
        again.append(DraftId.parse(draft.toString()), 40_000, BlobStoreContract.stream(bytes, 40_000, 100_000));
        var object = again.complete(draft, Digest.sha256(bytes), bytes.length);

        assertThat(store.open(ObjectId.parse(object.toString()), bytes.length)).isPresent();
    }

    @Test
    void nothingIsAcceptedWhereTheDiskIsNearlyFull() {
        var full = new FileBlobStore(folder.resolve("blobs"), Long.MAX_VALUE / 2, new TransferBuffers(), CallTimes.OFF);

        assertThatThrownBy(() -> full.admit(1))
                .isInstanceOfSatisfying(
                        ProblemException.class, e -> assertThat(e.problem()).isInstanceOf(Problem.StorageFull.class));
        assertThatThrownBy(() -> full.append(full.begin(), 0, BlobStoreContract.stream(new byte[1], 0, 1)))
                .isInstanceOf(ProblemException.class);
        assertThat(store.begin()).isNotNull();
    }

    @Test
    void storageNamesAreNeverAClientsText() {
        for (String text : List.of("", "..", "../../etc/passwd", "0".repeat(31), "0".repeat(33), "G".repeat(32))) {
            assertThatThrownBy(() -> new DraftId(text, "")).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> ObjectId.parse("sha256-" + "0".repeat(64) + "-../x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ObjectId.parse("sha256-" + "0".repeat(64)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatOthersPutIntoTheFolderIsNotListed() throws IOException {
        for (String name :
                List.of("drafts/notes.txt", "objects/00/.hidden", "objects/notes", "objects/lost-and-found")) {
            var file = folder.resolve("blobs").resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "mine");
        }
        Files.createDirectories(folder.resolve("blobs/drafts/" + "0".repeat(32)));

        assertThat(store.list("", 10)).isEmpty();
    }

    @Test
    void aDraftThatWasPutAsideIsBroughtBack() throws IOException {
        var draft = store.begin();
        store.append(draft, 0, BlobStoreContract.stream(new byte[100], 0, 100));
        var item = store.list("", 10).getFirst();
        assertThat(item).isEqualTo(new StoredItem("drafts/" + draft.part(), StoredItem.Kind.DRAFT, draft.part(), 100));

        var aside = store.quarantine(item);

        assertThat(store.list("", 10)).containsExactly(aside);
        store.bringBack(aside);
        assertThat(store.read(draft, 100)).isEqualTo(new byte[100]);
    }

    private Path onlyFile() throws IOException {
        try (var files = Files.walk(folder.resolve("blobs/objects"))) {
            return files.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
    }
}
