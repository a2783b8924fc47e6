package dev.sheaf.server.event;

import dev.sheaf.engine.db.Tx;
import java.security.SecureRandom;

/// Marks a restore in the feeds: after it, other events get the numbers that followed the end of the backup.
public final class FeedEpochs {
    private static final SecureRandom RANDOM = new SecureRandom();

    private FeedEpochs() {}

    /// Begins a new epoch. Cursors after the current end of a feed are refused from now on.
    public static void restored(Tx tx) {
        FeedRows.begin(tx, 1 + RANDOM.nextLong(Long.MAX_VALUE));
    }
}
