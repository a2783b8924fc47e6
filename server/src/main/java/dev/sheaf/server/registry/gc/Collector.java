package dev.sheaf.server.registry.gc;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.work.Task;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.server.registry.RetentionPolicy;
import dev.sheaf.server.registry.upload.Uploads;
import org.jspecify.annotations.Nullable;

/// Deletes what nothing needs any more: expired uploads; manifests; links to blobs that no manifest refers to;
/// blobs without links; and last, the bytes that are due. Runs alongside requests, without a pause, on any
/// number of nodes at the same time.
///
/// Each batch is a short transaction. It locks its rows, skips rows that others have locked, checks them, and
/// only then deletes. Whatever needs a manifest or a link has a foreign key to it, so the database refuses a
/// mistake made here.
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
            run.count("uploadsExpired", expired); // zero is reported too
        } while (expired > 0);
    }

    private void pass(TaskRun run, CollectorSweep sweep) {
        CollectorSweep.From from = new CollectorSweep.From(CollectorSweep.Cursor.START, database.now());
        while (from != null) {
            run.checkpoint();
            from = batch(run, sweep, from);
        }
    }

    private CollectorSweep.@Nullable From batch(TaskRun run, CollectorSweep sweep, CollectorSweep.From from) {
        var batch = database.write(tx -> sweep.collect(tx, from));
        run.advance(batch.looked());
        batch.decisions().forEach(decision -> decision.tell(run));
        return from.next(batch.next());
    }
}
