package dev.sheaf.engine.blob;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The folders of a blob store, and the moves of files between them, which survive a power loss.
final class FileTree {
    static final String DRAFTS = "drafts";
    static final String OBJECTS = "objects";
    static final String ASIDE = "quarantine";
    private static final String MARK = "installation";

    private static final Logger LOG = LoggerFactory.getLogger(FileBlobStore.class);

    private final Path root;
    private final Path drafts;
    private final Path objects;
    private final Path aside;
    private final Set<Path> durable = ConcurrentHashMap.newKeySet();

    FileTree(Path root) {
        this.root = root;
        this.drafts = root.resolve(DRAFTS);
        this.objects = root.resolve(OBJECTS);
        this.aside = root.resolve(ASIDE);
    }

    Path root() {
        return root;
    }

    Path drafts() {
        return drafts;
    }

    Path objects() {
        return objects;
    }

    Path aside() {
        return aside;
    }

    Path file(StoredItem item) {
        return root.resolve(item.name());
    }

    Path file(DraftId draft) {
        return drafts.resolve(draft.part());
    }

    Path file(ObjectId object) {
        return objects.resolve(object.digest().hex().substring(0, 2)).resolve(object.toString());
    }

    static Path folder(Path file) {
        Path folder = file.getParent();
        if (folder == null) {
            throw new IllegalStateException("an object is in a folder");
        }
        return folder;
    }

    Path mark() {
        return root.resolve(MARK);
    }

    String readMark() throws IOException {
        try {
            return Files.readString(mark()).strip();
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    /// @param owner the mark that the folder must have; empty if it need not have one
    /// @throws NoSuchFileException if this is not the folder of that installation
    void checkIsOf(String owner) throws IOException {
        if (!Files.isDirectory(objects) || !owner.isEmpty() && !owner.equals(readMark())) {
            throw new NoSuchFileException(
                    objects + " is missing, or " + mark() + " is, so it is unknown which objects exist");
        }
    }

    void writeMark(String text) throws IOException {
        Path next = root.resolve(MARK + ".new");
        try (var out = PrivateFiles.open(next, CREATE, TRUNCATE_EXISTING, WRITE)) {
            out.write(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.US_ASCII)));
            out.force(true);
        }
        Files.move(next, mark(), StandardCopyOption.ATOMIC_MOVE);
        DiskCalls.sync(root);
    }

    /// Returns the length in bytes, or -1 if there is no such file.
    static long size(Path file) throws IOException {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.isRegularFile() ? attributes.size() : -1;
        } catch (NoSuchFileException e) {
            return -1;
        }
    }

    /// @param removed deleted if the sync fails, because it cannot be trusted any more
    static void sync(Path path, Path removed) throws IOException {
        try {
            DiskCalls.sync(path);
        } catch (IOException e) {
            try {
                Files.deleteIfExists(removed);
            } catch (IOException kept) {
                e.addSuppressed(kept);
            }
            throw e;
        }
    }

    /// Creates a folder and makes its entry durable. This is done once per process even if the folder exists,
    /// because another process may have created it without a sync.
    void makeFolder(Path folder) throws IOException {
        if (!durable.contains(folder)) {
            PrivateFiles.folder(folder);
            sync(objects, folder); // on failure only an empty folder is deleted
            durable.add(folder);
        }
    }

    /// Returns false if `from` does not exist.
    boolean move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return false;
        }
        DiskCalls.sync(folder(to));
        DiskCalls.sync(folder(from));
        return true;
    }

    /// Moves a file back from quarantine. Returns false if it is not there, or `to` exists.
    boolean backFromAside(Path from, Path to) throws IOException {
        if (!Files.exists(from) || Files.exists(to)) {
            return false;
        }
        makeFolder(folder(to));
        boolean back = move(from, to);
        if (back) {
            LOG.warn("{} had been put aside, but it is needed; it was restored", to.getFileName());
        }
        return back;
    }
}
