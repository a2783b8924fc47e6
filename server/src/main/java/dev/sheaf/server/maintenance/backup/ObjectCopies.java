package dev.sheaf.server.maintenance.backup;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.blob.ObjectId;
import dev.sheaf.engine.blob.PrivateFiles;
import dev.sheaf.engine.blob.UnreadableException;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Copies content from a blob store into a backup's directory, several objects at the same time, each into its
/// own file. A file gets its name only when it is complete, so a file of the right length is not copied again.
final class ObjectCopies {
    /// The table whose rows name objects.
    static final String TABLE = "blob";

    static final String OBJECT = "object_id";
    private static final int AT_ONCE = 8;

    private final Database database;
    private final BlobStore store;
    private final Path objects;
    private final Set<Path> changed = ConcurrentHashMap.newKeySet();

    ObjectCopies(Database database, BlobStore store, Path objects) {
        this.database = database;
        this.store = store;
        this.objects = objects;
    }

    /// The outcome of one copy.
    private enum Outcome {
        COPIED,
        PRESENT,
        DAMAGED
    }

    private record Wanted(Digest digest, long size, String object) {
        static Wanted of(Map<String, Object> row) {
            return new Wanted(
                    Digest.parse(String.valueOf(row.get("digest"))),
                    row.get("size") instanceof Long size ? size : -1,
                    String.valueOf(row.get(OBJECT)));
        }
    }

    static boolean isStored(Map<String, Object> row) {
        return row.containsKey(OBJECT);
    }

    /// Counts an object that would be copied.
    void look(Map<String, Object> row, TaskRun run) {
        if (isStored(row)) {
            var wanted = Wanted.of(row);
            boolean present = BackupFolder.size(BackupFolder.object(objects, wanted.digest())) == wanted.size();
            run.count(present ? "objectsPresent" : "objectsToCopy", 1);
            run.count("bytesToCopy", present ? 0 : wanted.size());
        }
    }

    Batch batch(JsonLines.Writer list, TaskRun run) {
        return new Batch(list, run);
    }

    /// Collects rows of blobs and copies their objects.
    final class Batch implements AutoCloseable {
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final List<Wanted> waiting = new ArrayList<>();
        private final JsonLines.Writer list;
        private final TaskRun run;
        private long bytes;
        private long damaged;

        private Batch(JsonLines.Writer list, TaskRun run) {
            this.list = list;
            this.run = run;
        }

        void add(Map<String, Object> row) {
            if (isStored(row)) {
                waiting.add(Wanted.of(row));
            }
            if (waiting.size() == AT_ONCE) {
                flush();
            }
        }

        void flush() {
            run.checkpoint();
            var copies = waiting.stream()
                    .map(wanted -> threads.submit(() -> copy(wanted)))
                    .toList();
            for (int i = 0; i < copies.size(); i++) {
                settle(waiting.get(i), result(copies.get(i)));
            }
            run.advance(waiting.size());
            waiting.clear();
        }

        private void settle(Wanted wanted, Outcome outcome) {
            if (outcome == Outcome.DAMAGED) {
                damaged++;
                run.count("objectsDamaged", 1);
                run.find(
                        wanted.digest().toString(),
                        "its bytes are missing or damaged in the blob store, so the backup does not contain them");
                return;
            }
            bytes += wanted.size();
            list.write(Backup.listed(wanted.digest(), wanted.size()));
            run.count(outcome == Outcome.COPIED ? "objectsCopied" : "objectsPresent", 1);
            run.count("bytesCopied", outcome == Outcome.COPIED ? wanted.size() : 0);
        }

        long bytes() {
            return bytes;
        }

        long damaged() {
            return damaged;
        }

        @Override
        public void close() {
            threads.close();
        }
    }

    private static Outcome result(Future<Outcome> copy) {
        try {
            return copy.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new UncheckedIOException(
                    e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private Outcome copy(Wanted wanted) throws IOException {
        Path file = BackupFolder.object(objects, wanted.digest());
        if (BackupFolder.size(file) == wanted.size()) {
            changed.add(folder(file)); // the backup that wrote it may have ended before the sync
            return Outcome.PRESENT;
        }
        if (copy(wanted, wanted.object(), file)) {
            return Outcome.COPIED;
        }
        // a damaged blob may have been pushed again since the snapshot
        var now = database.damage().fault().isPresent()
                ? Optional.<String>empty()
                : database.read(tx -> BackupRows.object(tx, wanted.digest().toString()))
                        .filter(object -> !object.equals(wanted.object()));
        return now.isPresent() && copy(wanted, now.get(), file) ? Outcome.COPIED : Outcome.DAMAGED;
    }

    /// Returns false if the object is incomplete.
    private boolean copy(Wanted wanted, String object, Path file) throws IOException {
        var opened = store.open(ObjectId.parse(object), wanted.size());
        if (opened.isEmpty()) {
            return false;
        }
        Path folder = folder(file);
        PrivateFiles.folder(folder);
        Path unfinished = folder.resolve(file.getFileName() + Backup.UNFINISHED);
        var hash = wanted.digest().algorithm().newHash();
        try (var channel = PrivateFiles.open(unfinished, CREATE, TRUNCATE_EXISTING, WRITE);
                var out = new DigestOutputStream(Channels.newOutputStream(channel), hash)) {
            opened.get().writeTo(out, 0, wanted.size());
            channel.force(true);
        } catch (UnreadableException e) {
            Files.delete(unfinished);
            return false;
        } catch (IOException e) {
            if (store.open(ObjectId.parse(object), wanted.size()).isEmpty()) {
                Files.delete(unfinished);
                return false;
            }
            throw e;
        }
        if (!Digest.finish(wanted.digest().algorithm(), hash.digest()).equals(wanted.digest())) {
            Files.delete(unfinished);
            return false;
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        changed.add(folder);
        return true;
    }

    private static Path folder(Path file) {
        @Nullable Path folder = file.getParent();
        if (folder == null) {
            throw new IllegalStateException("an object is always in a directory");
        }
        return folder;
    }

    /// Makes the copies durable.
    void sync() throws IOException {
        for (Path folder : changed) {
            BackupFolder.sync(folder);
        }
        BackupFolder.sync(objects);
        changed.clear();
    }
}
