package dev.sheaf.server.testing;

import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Database;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A node on PostgreSQL hears of its own changes as well: by a notification, and when it reads the table of changes.
/// Each time its caches forget what was changed.
public final class Echoes {
    /// At the commit, by the notification, from the table.
    private static final int TIMES = 3;

    private static final long ENOUGH = 5;

    private Echoes() {}

    /// Waits until a node has heard of all earlier changes for the last time, and receives changes. Notifications
    /// come in their order, so this makes a change and waits for its echoes. A node may leave out a
    /// notification, so it may take several changes.
    public static void fadeOut(Database database) throws InterruptedException {
        CountDownLatch heard;
        do {
            var change = new Change(Change.Kind.REPOSITORY, "echo/" + UUID.randomUUID());
            var count = new CountDownLatch(TIMES);
            heard = count;
            database.onChange(next -> {
                if (next.equals(change)) {
                    count.countDown();
                }
            });
            database.write(tx -> {
                tx.changed(change);
                return change;
            });
        } while (!heard.await(ENOUGH, TimeUnit.SECONDS) || !database.isListening());
    }
}
