package dev.sheaf.server.registry.gc;

import dev.sheaf.model.ProblemException;
import dev.sheaf.server.blob.BlobStore;
import dev.sheaf.server.blob.DraftId;
import dev.sheaf.server.blob.ObjectId;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.registry.content.BlobRows;
import dev.sheaf.server.registry.content.DeletionRows;
import dev.sheaf.server.work.Task;
import dev.sheaf.server.work.TaskRun;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes bytes that are due. Any number of nodes may run it at the same time.
public final class DeletionQueue implements Task {
    private static final Logger LOG = LoggerFactory.getLogger(DeletionQueue.class);
    private static final int BATCH = 100;
    private static final int MAX_FAILURES = 10; // in a row
    private static final Duration LATER = Duration.ofHours(1);

    private final Database database;
    private final BlobStore store;

    public DeletionQueue(Database database, BlobStore store) {
        this.database = database;
        this.store = store;
    }

    /// @throws ProblemException unavailable if the store cannot remove anything now
    @Override
    public void run(TaskRun run) {
        int failures = 0;
        for (var due = due(Instant.EPOCH, "");
                !due.isEmpty();
                due = due(due.getLast().dueAt(), due.getLast().id())) {
            for (var entry : due) {
                run.checkpoint();
                try {
                    remove(run, entry);
                    failures = 0;
                } catch (ProblemException e) {
                    failures++;
                    if (run.isDryRun() || failures > MAX_FAILURES) {
                        throw e;
                    }
                    postpone(run, entry);
                }
            }
        }
    }

    private List<DeletionRows.Entry> due(Instant after, String id) {
        return database.read(tx -> DeletionRows.due(tx, after, id, BATCH));
    }

    /// Removes the bytes first and then the entry: if the node dies in between, the entry is left and its
    /// removal does nothing. Names are never reused, so if no row refers to a name when it is due, none ever
    /// will.
    private void remove(TaskRun run, DeletionRows.Entry entry) {
        var parts = entry.kind() == DeletionRows.Kind.DRAFT
                ? store.parts(DraftId.parse(entry.id()))
                : Set.of(ObjectId.parse(entry.id()).part());
        if (!parts.isEmpty() && !database.read(tx -> BlobRows.named(tx, parts)).isEmpty()) {
            LOG.error("{} is queued for deletion, but a blob still uses it; it is kept", entry.id());
            run.find(entry.id(), "kept because a blob still uses it; this should never happen");
            forget(run, entry);
            return;
        }
        if (!run.isDryRun()) {
            if (entry.kind() == DeletionRows.Kind.DRAFT) {
                store.abort(DraftId.parse(entry.id()));
            } else {
                store.delete(ObjectId.parse(entry.id()));
            }
        }
        if (forget(run, entry)) {
            run.count(entry.kind() == DeletionRows.Kind.DRAFT ? "draftsRemoved" : "objectsRemoved", 1);
            run.count("bytesFreed", entry.size());
            run.advance(1);
        }
    }

    /// Postpones an entry, so that it does not hold up the entries after it.
    private void postpone(TaskRun run, DeletionRows.Entry entry) {
        LOG.warn("{} cannot be removed now; will retry in {}", entry.id(), LATER);
        run.find(entry.id(), "cannot be removed now; will be retried in " + LATER);
        run.count("postponed", 1);
        database.write(tx -> {
            DeletionRows.postpone(tx, entry, tx.now().plus(LATER));
            return entry;
        });
    }

    private boolean forget(TaskRun run, DeletionRows.Entry entry) {
        return run.isDryRun() || database.write(tx -> DeletionRows.done(tx, entry));
    }
}
