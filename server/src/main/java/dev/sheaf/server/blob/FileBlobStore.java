package dev.sheaf.server.blob;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.sheaf.model.Digest;
import dev.sheaf.server.metrics.Stopwatch;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Objects as files: drafts in `drafts/`, finished objects in 256 folders under `objects/`, and what was put aside
/// in `quarantine/`. One process at a time.
///
/// A finished object is synced before it is renamed, and its folder after, so a file under `objects/` is always
/// whole.
///
/// What could not be synced is removed: after a failed sync the system counts the file's pages as clean, and a
/// later sync would succeed without them ("fsyncgate", PostgreSQL 2018). An upload that had bytes in it begins
/// again.
public final class FileBlobStore implements BlobStore {
    static final String DRAFTS = "drafts";
    static final String OBJECTS = "objects";
    static final String ASIDE = "quarantine";

    private static final Logger LOG = LoggerFactory.getLogger(FileBlobStore.class);
    private static final long ROOM_CHECKED_EVERY = 16 << 20;

    private final Path root;
    private final Path drafts;
    private final Path objects;
    private final Path aside;
    private final DiskRoom room;
    private final BulkLane lane;
    private final Disk disk;
    private final Set<Path> durable = ConcurrentHashMap.newKeySet();

    /// @param root the folder that belongs to this store; created where it is missing
    /// @param minimumFree bytes that must stay free on its disk
    /// @param times of its calls to the disk
    /// @throws dev.sheaf.model.ProblemException unavailable where the folders cannot be made
    public FileBlobStore(Path root, long minimumFree, BulkLane lane, Stopwatch times) {
        this.disk = new Disk(times);
        this.root = root;
        this.drafts = root.resolve(DRAFTS);
        this.objects = root.resolve(OBJECTS);
        this.aside = root.resolve(ASIDE);
        this.lane = lane;
        disk.run("make folders in", root, () -> {
            PrivateFiles.folder(drafts);
            PrivateFiles.folder(objects);
            Disk.sync(root);
        });
        this.room = DiskRoom.of(root, minimumFree);
    }

    @Override
    public void probe() {
        disk.run("reach", objects, () -> {
            if (!Files.isDirectory(objects) || !Files.isWritable(drafts)) {
                throw new NoSuchFileException(objects + ", or the right to write beside it");
            }
        });
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
        Path file = file(draft);
        room.check(0);
        try (var out = disk.call("open", file, () -> open(draft, offset));
                var held = lane.buffer(Long.MAX_VALUE)) {
            byte[] buffer = held.bytes();
            long count = 0;
            int read = content.readNBytes(buffer, 0, buffer.length);
            while (read > 0) {
                int length = read;
                lane.run(() -> {
                    disk.run("write", file, () -> writeFully(out, ByteBuffer.wrap(buffer, 0, length)));
                    return length;
                });
                if (count / ROOM_CHECKED_EVERY != (count + length) / ROOM_CHECKED_EVERY) {
                    room.check(0);
                }
                count += length;
                read = content.readNBytes(buffer, 0, buffer.length);
            }
            return count;
        }
    }

    private FileChannel open(DraftId draft, long offset) throws IOException {
        var out = PrivateFiles.open(file(draft), CREATE, WRITE);
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
        Path file = file(draft);
        disk.run("sync", file, () -> {
            if (Files.exists(file)) {
                sync(file, file);
                sync(drafts, file);
            }
        });
        return draft;
    }

    @Override
    public void leave(DraftId draft) {
        // the next append cuts it off
    }

    @Override
    public void release(DraftId dropped, DraftId kept) {
        // a draft is one file in every state
    }

    /// One process has the folder, and there a draft has one writer.
    @Override
    public boolean isShared(DraftId draft) {
        return false;
    }

    @Override
    public byte[] read(DraftId draft, int length) {
        Path file = file(draft);
        return disk.call("read", file, () -> {
            long found = size(file);
            if (found != length) {
                throw new DraftLostException(draft, length, found);
            }
            return Files.readAllBytes(file);
        });
    }

    @Override
    public ObjectId complete(DraftId draft, Digest digest, long length) {
        var object = new ObjectId(digest, draft.part());
        Path from = file(draft);
        Path to = file(object);
        disk.run("complete", from, () -> {
            if (!Files.exists(from) && size(to) == length) {
                sync(folder(to), to);
                return;
            }
            if (length == 0) {
                PrivateFiles.touch(from);
            }
            long found = size(from);
            if (found != length) {
                throw new DraftLostException(draft, length, found);
            }
            sync(from, from);
            makeFolder(folder(to));
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
            sync(folder(to), to);
        });
        return object;
    }

    /// @param removed what is not to be trusted again where the sync fails
    private static void sync(Path path, Path removed) throws IOException {
        try {
            Disk.sync(path);
        } catch (IOException e) {
            try {
                Files.deleteIfExists(removed);
            } catch (IOException kept) {
                e.addSuppressed(kept);
            }
            throw e;
        }
    }

    /// Whoever finds the folder there cannot know that its entry is durable, unless this process has seen to it.
    private void makeFolder(Path folder) throws IOException {
        if (!durable.contains(folder)) {
            PrivateFiles.folder(folder);
            sync(objects, folder); // which stays where it holds something
            durable.add(folder);
        }
    }

    @Override
    public void reopen(DraftId draft, Digest digest) {
        Path from = file(new ObjectId(digest, draft.part()));
        Path to = file(draft);
        disk.run("reopen", to, () -> {
            if (!Files.exists(to) && Files.exists(from)) {
                Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
                Disk.sync(drafts);
            }
        });
    }

    @Override
    public Optional<StoredObject> open(ObjectId object, long length) {
        Path file = file(object);
        long found = disk.call("open", file, () -> {
            long size = size(file);
            if (size < 0 && !Files.isDirectory(objects)) {
                throw new NoSuchFileException(objects + ", so nothing is said of what lies in it");
            }
            return size < 0 && backFromAside(aside.resolve(object.toString()), file) ? size(file) : size;
        });
        return found == length ? Optional.of(new OnDisk(file, length, lane, disk)) : Optional.empty();
    }

    /// Files have no address.
    @Override
    public Optional<URI> presign(ObjectId object, Duration lifetime) {
        return Optional.empty();
    }

    @Override
    public void delete(ObjectId object) {
        Path file = file(object);
        disk.run("delete", file, () -> Files.deleteIfExists(file));
    }

    @Override
    public void abort(DraftId draft) {
        Path file = file(draft);
        disk.run("delete", file, () -> Files.deleteIfExists(file));
    }

    @Override
    public List<StoredItem> list(String after, int limit) {
        return disk.call("list", root, () -> new FileListing(root).after(after, limit));
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
        Path from = file(item);
        Path to = aside.resolve(String.valueOf(from.getFileName()));
        disk.run("put aside", from, () -> {
            PrivateFiles.folder(aside);
            move(from, to);
        });
        return new StoredItem(ASIDE + "/" + to.getFileName(), StoredItem.Kind.ASIDE, item.part(), item.size());
    }

    /// False where there is nothing to move.
    private boolean move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return false;
        }
        Disk.sync(folder(to));
        Disk.sync(folder(from));
        return true;
    }

    private boolean backFromAside(Path from, Path to) throws IOException {
        if (!Files.exists(from) || Files.exists(to)) {
            return false;
        }
        makeFolder(folder(to));
        boolean back = move(from, to);
        if (back) {
            LOG.warn("{} had been put aside, but is needed; it is back", to.getFileName());
        }
        return back;
    }

    @Override
    public void bringBack(StoredItem item) {
        if (item.kind() == StoredItem.Kind.ASIDE) {
            Path from = file(item);
            String name = String.valueOf(from.getFileName());
            Path to = name.indexOf('-') < 0 ? drafts.resolve(name) : file(ObjectId.parse(name));
            disk.call("bring back", from, () -> backFromAside(from, to));
        }
    }

    @Override
    public void remove(StoredItem item) {
        Path file = file(item);
        disk.run("delete", file, () -> Files.deleteIfExists(file));
    }

    private Path file(StoredItem item) {
        return root.resolve(item.name());
    }

    private Path file(DraftId draft) {
        return drafts.resolve(draft.part());
    }

    private Path file(ObjectId object) {
        return objects.resolve(object.digest().hex().substring(0, 2)).resolve(object.toString());
    }

    private static Path folder(Path file) {
        Path folder = file.getParent();
        if (folder == null) {
            throw new IllegalStateException("an object stands in a folder");
        }
        return folder;
    }

    /// Its length in bytes, or -1 where there is no such file.
    private static long size(Path file) throws IOException {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.isRegularFile() ? attributes.size() : -1;
        } catch (NoSuchFileException e) {
            return -1;
        }
    }

    private record OnDisk(Path file, long length, BulkLane lane, Disk disk) implements StoredObject {
        @Override
        public void writeTo(OutputStream out, long offset, long count) throws IOException {
            try (var in = FileChannel.open(file, READ);
                    var held = lane.buffer(count)) {
                in.position(offset);
                byte[] buffer = held.bytes();
                long left = count;
                while (left > 0) {
                    int length = (int) Math.min(buffer.length, left);
                    int moved = lane.run(() -> {
                        int read = disk.read(in, ByteBuffer.wrap(buffer, 0, length), file);
                        if (read > 0) {
                            out.write(buffer, 0, read);
                        }
                        return read;
                    });
                    if (moved < 0) {
                        throw new EOFException(file + " ended " + left + " bytes early");
                    }
                    left -= moved;
                }
            }
        }
    }
}
