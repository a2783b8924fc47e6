package dev.sheaf.server.registry.gc;

import dev.sheaf.server.blob.BlobStore;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.registry.RetentionPolicy;
import dev.sheaf.server.registry.upload.Uploads;
import dev.sheaf.server.work.Task;
import dev.sheaf.server.work.TaskRun;
import org.jspecify.annotations.Nullable;

/// Deletes what nothing needs any more: expired uploads, manifests, then the links to blobs that no manifest refers
/// to, then the blobs without links; last, the bytes that are due. Runs beside requests and without a pause, on any
/// number of nodes at the same time.
///
/// Each batch is one short transaction that locks what it looks at, passes over what others have locked, looks, and
/// only then deletes. What needs a manifest or a link points to it with a foreign key, so that a mistake here is
/// refused by the database.
public final class Collector implements Task {
    private final Database database;
    private final RetentionPolicy keeping;
    private final Uploads uploads;
    private final DeletionQueue queue;

    public Collector(Database database, BlobStore store, RetentionPolicy keeping, Uploads uploads) {
        this.database = database;
        this.keeping = keeping;
        this.uploads = uploads;
        this.queue = new DeletionQueue(database, store);
    }

    @Override
    public void run(TaskRun run) {
        if (run.isDryRun()) {
            new DryRun(database, keeping).run(run);
        } else {
            expireUploads(run);
            pass(run, new ManifestSweep(keeping));
            pass(run, new LinkSweep(keeping));
        }
        queue.run(run);
    }

    private void expireUploads(TaskRun run) {
        int expired;
        do {
            run.checkpoint();
            expired = uploads.expire();
            run.count("uploadsExpired", expired); // zero is told too
        } while (expired > 0);
    }

    private void pass(TaskRun run, Sweep sweep) {
        Sweep.From from = new Sweep.From(Sweep.Cursor.START, database.now());
        while (from != null) {
            run.checkpoint();
            from = batch(run, sweep, from);
        }
    }

    private Sweep.@Nullable From batch(TaskRun run, Sweep sweep, Sweep.From from) {
        var batch = database.write(tx -> sweep.collect(tx, from));
        run.advance(batch.looked());
        batch.decisions().forEach(decision -> decision.tell(run));
        return from.next(batch.next());
    }
}
