package dev.sheaf.server.testing;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A node on PostgreSQL hears of its own changes as well, when it reads the table of changes. Each time its caches
/// forget what was changed.
public final class Echoes {
    /// At the commit, and from the table.
    private static final int TIMES = 2;

    private static final long ENOUGH = 5;

    private Echoes() {}

    /// Waits until a node has heard of all earlier changes for the last time: makes a change and waits for its echo.
    public static void fadeOut(Database database) throws InterruptedException {
        CountDownLatch heard;
        do {
            var change = new DataChange(DataChange.Kind.REPOSITORY, "echo/" + UUID.randomUUID());
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
        } while (!heard.await(ENOUGH, TimeUnit.SECONDS) || !database.isCurrent());
    }
}
