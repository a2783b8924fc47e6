package dev.sheaf.client;

import dev.sheaf.client.api.Blob;
import dev.sheaf.client.cache.AnswerCache;
import dev.sheaf.client.cache.BlobCache;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Maintenance of the cache folder, which all clients of a user share. Everything in it can be fetched again. Safe
/// while pulls are running: a pull that loses a blob fetches it again. Thread-safe.
public final class Cache {
    /// A blob in the cache.
    ///
    /// @param size the size in bytes
    /// @param used when it was stored or last read, rounded to the hour
    public record Entry(Digest digest, long size, Instant used) {}

    /// The result of a check or a cleanup.
    ///
    /// @param removed the removed entries
    /// @param kept the number of remaining entries
    /// @param keptBytes the total size of the remaining entries, in bytes
    public record Outcome(List<Entry> removed, long kept, long keptBytes) {
        public Outcome {
            removed = List.copyOf(removed);
        }

        /// Returns the total size of what was removed, in bytes.
        public long removedBytes() {
            return removed.stream().mapToLong(Entry::size).sum();
        }
    }

    private final BlobCache blobs;

    private Cache(BlobCache blobs) {
        this.blobs = blobs;
    }

    /// Returns the cache in this folder, which need not exist.
    public static Cache at(Path folder) {
        return new Cache(new BlobCache(folder));
    }

    /// Returns the folder of the cache.
    public Path folder() {
        return blobs.root();
    }

    /// Returns all entries, least recently used first.
    public List<Entry> entries() {
        var entries = new ArrayList<Entry>();
        for (var algorithm : Digest.Algorithm.values()) {
            Path folder = blobs.root().resolve("blobs").resolve(algorithm.toString());
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.walk(folder, 2)) {
                    files.forEach(file -> add(algorithm + ":" + file.getFileName(), file, entries));
                } catch (IOException e) {
                    throw DiskFailures.failed("cannot read the cache " + blobs.root(), e);
                } catch (UncheckedIOException e) { // thrown by the walk
                    throw DiskFailures.failed("cannot read the cache " + blobs.root(), e);
                }
            }
        }
        entries.sort(Comparator.comparing(Entry::used).thenComparing(Entry::digest, Comparator.comparing(Digest::hex)));
        return entries;
    }

    private static void add(String digest, Path file, List<Entry> entries) {
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (attributes.isRegularFile()) {
                entries.add(new Entry(
                        Digest.parse(digest),
                        attributes.size(),
                        attributes.lastModifiedTime().toInstant()));
            }
        } catch (NoSuchFileException | ProblemException e) {
            // removed meanwhile, or not a blob
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + file, e);
        }
    }

    /// Reads all entries and compares them with their digests. Damaged entries are removed; the next pull that
    /// needs one fetches it again.
    public Outcome verify() {
        var damaged = new ArrayList<Entry>();
        var entries = entries();
        for (Entry entry : entries) {
            try {
                var blob = new Blob(entry.digest(), entry.size());
                if (!blobs.copy(blob, OutputStream.nullOutputStream())) {
                    damaged.add(entry);
                }
            } catch (IOException e) {
                throw DiskFailures.failed("cannot read the cache " + blobs.root(), e);
            }
        }
        return outcome(entries, damaged);
    }

    /// Removes entries that were not used for the duration `unused`, then the least recently used entries until
    /// at most `most` bytes remain. Null means no limit. Also removes cached answers of registries that are
    /// older than `unused`, and leftovers of pulls that broke off at least a day ago.
    public Outcome prune(@Nullable Duration unused, @Nullable Long most) {
        var entries = entries();
        long left = entries.stream().mapToLong(Entry::size).sum();
        Instant oldest = unused == null ? Instant.MIN : Instant.now().minus(unused);
        var removed = new ArrayList<Entry>();
        try {
            for (Entry entry : entries) {
                if (entry.used().isBefore(oldest) || (most != null && left > most)) {
                    blobs.remove(entry.digest());
                    left -= entry.size();
                    removed.add(entry);
                }
            }
            blobs.removeLeftovers(Instant.now().minus(Duration.ofDays(1)));
            AnswerCache.prune(blobs.root(), oldest);
        } catch (IOException e) {
            throw DiskFailures.failed("cannot clean the cache " + blobs.root(), e);
        }
        return outcome(entries, removed);
    }

    private static Outcome outcome(List<Entry> entries, List<Entry> removed) {
        long all = entries.stream().mapToLong(Entry::size).sum();
        long gone = removed.stream().mapToLong(Entry::size).sum();
        return new Outcome(removed, entries.size() - removed.size(), all - gone);
    }
}
