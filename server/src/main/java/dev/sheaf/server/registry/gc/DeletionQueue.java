package dev.sheaf.server.registry.gc;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.blob.DraftId;
import dev.sheaf.engine.blob.ObjectId;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.work.Task;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.registry.content.BlobRows;
import dev.sheaf.server.registry.content.DeletionRows;
import dev.sheaf.server.registry.content.DeletionRows.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Removes bytes that are due. It claims some entries of the queue at a time, so any number of nodes may run it at the
/// same time.
public final class DeletionQueue implements Task {
    private static final Logger LOG = LoggerFactory.getLogger(DeletionQueue.class);
    private static final int BATCH = 100;
    private static final int MAX_FAILURES = 10; // in a row
    private static final Duration HELD = Duration.ofMinutes(5); // longer than a batch takes
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
        if (run.isDryRun()) {
            report(run);
            return;
        }
        int failures = 0;
        var claimed = claim();
        while (!claimed.isEmpty()) {
            failures = remove(run, claimed, failures);
            claimed = claim();
        }
    }

    private List<Entry> claim() {
        return database.write(tx -> DeletionRows.claim(tx, tx.now().plus(HELD), BATCH));
    }

    private void report(TaskRun run) {
        var due = due(Instant.EPOCH, "");
        while (!due.isEmpty()) {
            for (var entry : due) {
                run.checkpoint();
                if (isFree(run, entry)) {
                    count(run, entry);
                }
            }
            due = due(due.getLast().dueAt(), due.getLast().id());
        }
    }

    private List<Entry> due(Instant after, String id) {
        return database.read(tx -> DeletionRows.due(tx, after, id, BATCH));
    }

    /// Removes the bytes first and then the entries: if the node dies in between, the entries are due again soon,
    /// and their removal does nothing. An entry that cannot be removed now is due later, so it holds up no other.
    ///
    /// @param before how many failed in a row before
    /// @return how many have failed in a row
    private int remove(TaskRun run, List<Entry> claimed, int before) {
        int failures = before;
        var left = new ArrayDeque<>(claimed);
        var done = new ArrayList<Entry>();
        var failed = new ArrayList<Entry>();
        try {
            while (!left.isEmpty()) {
                run.checkpoint();
                var entry = left.getFirst();
                try {
                    remove(run, entry);
                    done.add(entry);
                    failures = 0;
                } catch (ProblemException e) {
                    failures++;
                    if (failures > MAX_FAILURES) {
                        throw e;
                    }
                    LOG.warn("{} cannot be removed now; will retry in {}", entry.id(), LATER);
                    run.find(entry.id(), "cannot be removed now; will be retried in " + LATER);
                    run.count("postponed", 1);
                    failed.add(entry.due(database.now().plus(LATER)));
                }
                left.removeFirst();
            }
        } finally {
            database.write(tx -> {
                DeletionRows.done(tx, done);
                DeletionRows.release(tx, failed);
                DeletionRows.release(tx, left);
                return done;
            });
        }
        return failures;
    }

    private void remove(TaskRun run, Entry entry) {
        if (isFree(run, entry)) {
            if (entry.kind() == DeletionRows.Kind.DRAFT) {
                store.abort(DraftId.parse(entry.id()));
            } else {
                store.delete(ObjectId.parse(entry.id()));
            }
            count(run, entry);
        }
    }

    /// Returns whether no row refers to the bytes. Names are never reused, so if none does when an entry is due, none
    /// ever will.
    private boolean isFree(TaskRun run, Entry entry) {
        var parts = entry.kind() == DeletionRows.Kind.DRAFT
                ? store.parts(DraftId.parse(entry.id()))
                : Set.of(ObjectId.parse(entry.id()).part());
        if (parts.isEmpty() || database.read(tx -> BlobRows.named(tx, parts)).isEmpty()) {
            return true;
        }
        LOG.error("{} is queued for deletion, but a blob still uses it; it is kept", entry.id());
        run.find(entry.id(), "kept because a blob still uses it; this should never happen");
        return false;
    }

    private static void count(TaskRun run, Entry entry) {
        run.count(entry.kind() == DeletionRows.Kind.DRAFT ? "draftsRemoved" : "objectsRemoved", 1);
        run.count("bytesFreed", entry.size());
        run.advance(1);
    }
}
