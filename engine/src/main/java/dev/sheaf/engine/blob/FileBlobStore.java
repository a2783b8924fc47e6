package dev.sheaf.engine.blob;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.sheaf.engine.cpu.BulkPool;
import dev.sheaf.engine.metrics.CallTimes;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Stores objects as files: drafts in `drafts/`, finished objects in 256 folders under `objects/`, and quarantined
/// items in `quarantine/`. Only one process may use the folder at a time.
///
/// A finished object is synced before it is renamed, and its folder after that, so a file under `objects/` is
/// always complete.
///
/// A file that could not be synced is deleted: after a failed sync the operating system considers the file's pages
/// clean, and a later sync would succeed without them ("fsyncgate", PostgreSQL 2018). An upload with bytes in it
/// must start again.
public final class FileBlobStore implements BlobStore {
    private static final long ROOM_CHECKED_EVERY = 16 << 20;

    private final FileTree tree;
    private final DiskRoom room;
    private final TransferBuffers buffers;
    private final DiskCalls disk;
    private volatile String owner = ""; // the mark that the folder must have; empty if it need not have one

    /// @param root the folder of this store; created if it is missing
    /// @param minimumFree bytes that must stay free on its disk
    /// @param times measures the disk calls
    /// @throws dev.sheaf.model.ProblemException unavailable if the folders cannot be created
    public FileBlobStore(Path root, long minimumFree, TransferBuffers buffers, CallTimes times) {
        this.disk = new DiskCalls(times);
        this.tree = new FileTree(root);
        this.buffers = buffers;
        disk.run("make folders in", root, () -> {
            PrivateFiles.folder(tree.drafts());
            PrivateFiles.folder(tree.objects());
            DiskCalls.sync(root);
        });
        this.room = DiskRoom.of(root, minimumFree);
    }

    @Override
    public void probe() {
        disk.run("reach", tree.objects(), () -> {
            if (!Files.isDirectory(tree.objects()) || !Files.isWritable(tree.drafts())) {
                throw new NoSuchFileException(tree.objects() + " is missing, or " + tree.drafts() + " is not writable");
            }
        });
    }

    @Override
    public Optional<String> mark() {
        return Optional.of(disk.call("read", tree.mark(), tree::readMark)).filter(text -> !text.isEmpty());
    }

    @Override
    public void mark(String installation) {
        disk.run("write", tree.mark(), () -> {
            if (!tree.readMark().equals(installation)) {
                tree.writeMark(installation);
            }
        });
        owner = installation;
    }

    @Override
    public String markPlace() {
        return "the file " + tree.mark();
    }

    @Override
    public void admit(long bytes) {
        room.check(bytes);
    }

    @Override
    public DraftId begin() {
        return DraftId.random();
    }

    @Override
    public long append(DraftId draft, long offset, InputStream content) throws IOException {
        Path file = tree.file(draft);
        room.check(0);
        try (var out = disk.call("open", file, () -> open(draft, offset));
                var held = buffers.buffer(Long.MAX_VALUE)) {
            byte[] buffer = held.bytes();
            long count = 0;
            int moved;
            do {
                int read = content.readNBytes(buffer, 0, buffer.length); // also hashes them
                if (read > 0) {
                    BulkPool.run(() ->
                            disk.run("write", file, () -> writeFully(out, ByteBuffer.wrap(buffer, 0, read))));
                    disk.wrote(read);
                }
                moved = read;
                if (count / ROOM_CHECKED_EVERY != (count + moved) / ROOM_CHECKED_EVERY) {
                    room.check(0);
                }
                count += moved;
            } while (moved > 0);
            return count;
        }
    }

    private FileChannel open(DraftId draft, long offset) throws IOException {
        var out = PrivateFiles.open(tree.file(draft), CREATE, WRITE);
        try {
            if (out.size() < offset) {
                throw new DraftLostException(draft, offset, out.size());
            }
            out.truncate(offset);
            out.position(offset);
            return out;
        } catch (IOException | RuntimeException e) {
            try {
                out.close();
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    private static void writeFully(FileChannel out, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    @Override
    public DraftId sync(DraftId draft) {
        Path file = tree.file(draft);
        disk.run("sync", file, () -> {
            if (Files.exists(file)) {
                FileTree.sync(file, file);
                FileTree.sync(tree.drafts(), file);
            }
        });
        return draft;
    }

    @Override
    public void leave(DraftId draft) {
        // the next append truncates the file
    }

    @Override
    public void release(DraftId dropped, DraftId kept) {
        // a draft is one file in every state
    }

    /// Returns false: only one process uses the folder, and there a draft has one writer.
    @Override
    public boolean isShared(DraftId draft) {
        return false;
    }

    @Override
    public byte[] read(DraftId draft, int length) {
        Path file = tree.file(draft);
        return disk.call("read", file, () -> {
            long found = FileTree.size(file);
            if (found != length) {
                throw new DraftLostException(draft, length, found);
            }
            return Files.readAllBytes(file);
        });
    }

    @Override
    public ObjectId complete(DraftId draft, Digest digest, long length) {
        var object = new ObjectId(digest, draft.part());
        Path from = tree.file(draft);
        Path to = tree.file(object);
        disk.run("complete", from, () -> {
            if (!Files.exists(from) && FileTree.size(to) == length) {
                FileTree.sync(FileTree.folder(to), to);
                return;
            }
            if (length == 0) {
                PrivateFiles.touch(from);
            }
            long found = FileTree.size(from);
            if (found != length) {
                throw new DraftLostException(draft, length, found);
            }
            FileTree.sync(from, from);
            tree.makeFolder(FileTree.folder(to));
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
            FileTree.sync(FileTree.folder(to), to);
        });
        return object;
    }

    @Override
    public void reopen(DraftId draft, Digest digest) {
        Path from = tree.file(new ObjectId(digest, draft.part()));
        Path to = tree.file(draft);
        disk.run("reopen", to, () -> {
            if (!Files.exists(to) && Files.exists(from)) {
                Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
                DiskCalls.sync(tree.drafts());
            }
        });
    }

    @Override
    public Optional<StoredObject> open(ObjectId object, long length) {
        Path file = tree.file(object);
        long found = disk.call("open", file, () -> {
            long size = FileTree.size(file);
            if (size < 0) {
                tree.checkIsOf(owner);
            }
            return size < 0 && tree.backFromAside(tree.aside().resolve(object.toString()), file)
                    ? FileTree.size(file)
                    : size;
        });
        return found == length ? Optional.of(new FileObject(file, length, buffers, disk)) : Optional.empty();
    }

    /// Returns empty: files have no URL.
    @Override
    public Optional<URI> presign(ObjectId object, Duration lifetime) {
        return Optional.empty();
    }

    @Override
    public void delete(ObjectId object) {
        delete(tree.file(object));
    }

    @Override
    public void abort(DraftId draft) {
        delete(tree.file(draft));
    }

    @Override
    public List<StoredItem> list(String after, int limit) {
        return disk.call("list", tree.root(), () -> {
            tree.checkIsOf(owner);
            return new FileListing(tree.root()).after(after, limit);
        });
    }

    @Override
    public Set<String> parts(DraftId draft) {
        return Set.of(draft.part());
    }

    @Override
    public StoredItem quarantine(StoredItem item) {
        if (item.kind() == StoredItem.Kind.ASIDE) {
            return item;
        }
        Path from = tree.file(item);
        Path to = tree.aside().resolve(String.valueOf(from.getFileName()));
        disk.run("put aside", from, () -> {
            PrivateFiles.folder(tree.aside());
            tree.move(from, to);
        });
        return new StoredItem(FileTree.ASIDE + "/" + to.getFileName(), StoredItem.Kind.ASIDE, item.part(), item.size());
    }

    @Override
    public void bringBack(StoredItem item) {
        if (item.kind() == StoredItem.Kind.ASIDE) {
            Path from = tree.file(item);
            String name = String.valueOf(from.getFileName());
            Path to = name.indexOf('-') < 0 ? tree.drafts().resolve(name) : tree.file(ObjectId.parse(name));
            disk.call("bring back", from, () -> tree.backFromAside(from, to));
        }
    }

    @Override
    public void remove(StoredItem item) {
        delete(tree.file(item));
    }

    private void delete(Path file) {
        disk.run("delete", file, () -> Files.deleteIfExists(file));
    }
}
