package dev.sheaf.engine.blob;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A cache on this node's disk for content that can be generated again at any time. Entries are kept until they
/// expire or others need the room. The cache is empty after each start. Thread-safe.
public final class DiskCache {
    private static final Logger LOG = LoggerFactory.getLogger(DiskCache.class);
    private static final int SEEN = 10_000;
    private static final int MADE_AT_ONCE = 2;

    private final Path folder;
    private final DiskRoom room;
    private final TransferBuffers buffers;
    private final long most;
    private final Cache<Digest, FileObject> kept;
    private final Cache<Digest, Boolean> seen;
    private final Set<Digest> underWay = ConcurrentHashMap.newKeySet();
    private final Semaphore making = new Semaphore(MADE_AT_ONCE);
    private volatile Object clearing = new Object(); // replaced by each clear()

    /// @param folder an existing, empty folder
    /// @param most maximum size of all entries in bytes; one entry may take a quarter of it. Up to two more
    ///     entries may be in the process of being written
    /// @param longest the maximum time for which an entry is kept
    public DiskCache(Path folder, DiskRoom room, TransferBuffers buffers, long most, Duration longest) {
        this.folder = folder;
        this.room = room;
        this.buffers = buffers;
        this.most = most;
        this.kept = Caffeine.newBuilder()
                .maximumWeight(most >> 10)
                .weigher((Digest key, FileObject object) -> Math.toIntExact((object.length() >> 10) + 1))
                .expireAfterWrite(longest)
                .removalListener((@Nullable Digest key, @Nullable FileObject object, RemovalCause cause) -> {
                    if (object != null) {
                        delete(object.file());
                    }
                })
                .executor(Runnable::run)
                .build();
        this.seen = Caffeine.newBuilder()
                .maximumSize(SEEN)
                .expireAfterWrite(longest)
                .build();
    }

    /// Produces content.
    public interface Maker {
        void writeTo(OutputStream out) throws IOException;
    }

    /// Writes the content of the key, from the disk or while it is generated. It is stored only when it is
    /// requested for the second time, so that single requests cost the disk nothing.
    ///
    /// @param maker must write the same bytes each time
    /// @throws IOException if the maker or `out` fails
    public void write(Digest key, long length, Maker maker, OutputStream out) throws IOException {
        var object = kept.getIfPresent(key);
        if (object == null && length <= most / 4 && seen.asMap().putIfAbsent(key, true) != null) {
            object = keep(key, length, maker);
        }
        if (object == null || !copied(object, out)) {
            maker.writeTo(out);
        }
    }

    /// @return false if the file was deleted meanwhile and nothing was written
    private static boolean copied(FileObject object, OutputStream out) throws IOException {
        try {
            object.writeTo(out, 0, object.length());
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /// Stores the content. Returns null if it cannot be stored or another thread is storing it: the caller then
    /// gets the content while it is generated, and does not wait.
    private @Nullable FileObject keep(Digest key, long length, Maker maker) {
        if (!making.tryAcquire()) {
            return null;
        }
        try {
            return underWay.add(key) ? made(key, length, maker) : null;
        } finally {
            making.release();
        }
    }

    private @Nullable FileObject made(Digest key, long length, Maker maker) {
        var before = clearing;
        Path file = folder.resolve(DraftId.randomPart());
        try {
            room.check(length);
            try (var out = Channels.newOutputStream(PrivateFiles.open(file, CREATE_NEW, WRITE))) {
                maker.writeTo(out);
            }
            var object = new FileObject(file, length, buffers, DiskCalls.PLAIN);
            kept.put(key, object);
            if (clearing != before) {
                kept.invalidate(key);
            }
            return object;
        } catch (IOException | RuntimeException e) {
            LOG.debug("not cached", e); // the caller then runs the maker itself, which reports the error
            delete(file);
            return null;
        } finally {
            underWay.remove(key);
        }
    }

    /// Removes all entries, for example after a purge.
    public void clear() {
        clearing = new Object();
        kept.invalidateAll();
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("cannot delete {}; the next start deletes it", file, e);
        }
    }
}
