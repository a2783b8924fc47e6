package dev.sheaf.server.registry.content;

import dev.sheaf.engine.db.Tx;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// When content was last checked, for content that is new.
final class CheckTime {
    private static final int STEP = 10; // minutes

    private CheckTime() {}

    /// Returns the time of a transaction in steps, so that many rows have the same: an index on PostgreSQL stores equal
    /// keys once. A scrub checks each row after days.
    static Instant at(Tx tx) {
        var minute = tx.now().truncatedTo(ChronoUnit.MINUTES);
        return minute.minus(Math.floorMod(minute.getEpochSecond() / 60, STEP), ChronoUnit.MINUTES);
    }
}
