package dev.sheaf.server.registry.gc;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.work.Task;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.server.registry.upload.Uploads;

/// Ends expired uploads and removes bytes that are due: the parts that cost nothing while there is nothing to
/// do. Any number of nodes may run it at the same time.
public final class UploadExpiry implements Task {
    private final DeletionQueue queue;
    private final Uploads uploads;

    public UploadExpiry(Database database, BlobStore store, Uploads uploads) {
        this.queue = new DeletionQueue(database, store);
        this.uploads = uploads;
    }

    @Override
    public void run(TaskRun run) {
        while (uploads.expire() > 0) { // one batch at a time
            run.checkpoint();
        }
        queue.run(run);
    }
}
