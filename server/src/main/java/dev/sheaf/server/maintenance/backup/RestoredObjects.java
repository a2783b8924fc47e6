package dev.sheaf.server.maintenance.backup;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.blob.ObjectId;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.Digest;
import dev.sheaf.model.ProblemException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Copies content from a backup's directory into a blob store, several objects at the same time.
final class RestoredObjects {
    private static final int OBJECTS_AT_ONCE = 8;

    private final Path backup;
    private final BlobStore store;

    RestoredObjects(Path backup, BlobStore store) {
        this.backup = backup;
        this.store = store;
    }

    /// Stores the objects of the rows, and returns the rows with their new names.
    List<Map<String, Object>> named(List<Map<String, Object>> rows, TaskRun run) {
        var restored = new ArrayList<Map<String, Object>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < rows.size(); i += OBJECTS_AT_ONCE) {
                var some = rows.subList(i, Math.min(i + OBJECTS_AT_ONCE, rows.size())).stream()
                        .map(row -> threads.submit(() -> stored(row)))
                        .toList();
                for (var one : some) {
                    var row = result(one);
                    run.count("objects", row.containsKey(ObjectCopies.OBJECT) ? 1 : 0);
                    restored.add(row);
                }
                run.checkpoint();
            }
        }
        return restored;
    }

    private static Map<String, Object> result(Future<Map<String, Object>> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ProblemException problem
                    ? problem
                    : new IllegalStateException("an object cannot be restored", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private Map<String, Object> stored(Map<String, Object> row) throws IOException {
        if (!ObjectCopies.isStored(row)) {
            return row;
        }
        var digest = Digest.parse(String.valueOf(row.get("digest")));
        long size = row.get("size") instanceof Long bytes ? bytes : -1;
        Map<String, Object> changed = new LinkedHashMap<>(row);
        write(digest, size)
                .ifPresentOrElse(
                        object -> {
                            changed.put(ObjectCopies.OBJECT, object.toString());
                            changed.put("state", "ok");
                        },
                        () -> {
                            changed.remove(ObjectCopies.OBJECT);
                            changed.put("state", "suspect");
                        });
        return changed;
    }

    /// Stores one object; empty if it is missing or damaged in the backup.
    private Optional<ObjectId> write(Digest digest, long size) throws IOException {
        Path file = BackupFolder.object(BackupFolder.objectsOf(backup), digest);
        if (BackupFolder.size(file) != size) {
            return Optional.empty();
        }
        store.admit(size);
        var draft = store.begin();
        boolean complete = false;
        try (var in = new DigestInputStream(
                BackupFolder.open(file), digest.algorithm().newHash())) {
            store.append(draft, 0, in);
            if (Digest.finish(digest.algorithm(), in.getMessageDigest().digest())
                    .equals(digest)) {
                var object = store.complete(draft, digest, size);
                complete = true;
                return Optional.of(object);
            }
            return Optional.empty();
        } finally {
            if (!complete) {
                store.abort(draft);
            }
        }
    }
}
