package dev.sheaf.server.event;

import dev.sheaf.server.db.Tx;
import java.security.SecureRandom;

/// What a restore does to feeds: numbers from behind the backup's end are given once more, to other events.
public final class Epochs {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Epochs() {}

    /// From now on, cursors from behind what feeds hold now are refused for good.
    public static void restored(Tx tx) {
        FeedRows.begin(tx, 1 + RANDOM.nextLong(Long.MAX_VALUE));
    }
}
