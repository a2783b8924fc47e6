package dev.sheaf.server.db.beat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// How far one node has seen the table of changes, by its own looks and by those of other nodes that told it. Used by
/// one thread.
public final class Seen {
    /// The maximum age of a snapshot from which this node catches up. Rows are kept for a minute, so all later rows
    /// still exist.
    private static final long CATCH_UP = Duration.ofSeconds(30).toNanos();

    /// The time for which looks of others suffice. After it, clocks may have drifted.
    private static final long OWN = Duration.ofSeconds(30).toNanos();

    /// How far the clock of this machine may move against the time that passes before it counts as set.
    private static final long MOVED_MILLIS = 50;

    private static final long ROUNDING_MILLIS = 2;

    private @Nullable String snapshot; // the last one; null if changes may have been missed since
    private long at; // when it was taken, or earlier
    private long millis; // the same by the clock of the database
    private long ownAt; // when its last own look began
    private long ownMillis; // the time by the clock of the database during that look
    private long ownWall; // the time by the clock of this machine when that look began

    /// Returns the last snapshot; null if changes may have been missed since.
    public @Nullable String snapshot() {
        return snapshot;
    }

    public void missed() {
        snapshot = null;
    }

    /// Returns whether it is so old that rows may be gone.
    ///
    /// @param now by [System#nanoTime]
    public boolean isOld(long now) {
        return now - at > CATCH_UP;
    }

    /// Records a look of this node. Returns whether this process stood still for so long before it that rows may be
    /// gone. The database's clock tells, since this machine's may have stood still, too.
    ///
    /// @param to the snapshot of the look
    /// @param there a moment during the look by the database's clock, in milliseconds
    /// @param begin when it began, by [System#nanoTime]
    /// @param wall the same by the clock of this machine, in milliseconds
    public boolean looked(String to, long there, long begin, long wall) {
        boolean stoodStill = snapshot != null && there - millis > TimeUnit.NANOSECONDS.toMillis(CATCH_UP);
        snapshot = to;
        at = begin;
        millis = there;
        ownAt = begin;
        ownMillis = there;
        ownWall = wall;
        return stoodStill;
    }

    /// Returns whether this node must look for itself: it has not for long, or the clock of this machine was set.
    ///
    /// @param now by [System#nanoTime]
    /// @param wall the same by the clock of this machine, in milliseconds
    public boolean isOwnDue(long now, long wall) {
        long passed = TimeUnit.NANOSECONDS.toMillis(now - ownAt);
        return snapshot == null || now - ownAt > OWN || Math.abs(wall - ownWall - passed) > MOVED_MILLIS;
    }

    /// Returns whether a look of another node has shown something new.
    public boolean isNew(Beat.Look look) {
        return snapshot == null || !Snapshot.parse(snapshot).covers(Snapshot.parse(look.to()));
    }

    /// Goes on from what this node has seen to a look of another node, whose changes it has received. Does nothing
    /// if there may be changes between them, or the database's clock was set since this node's own look. A message
    /// may be an old one that somebody sends again. After a crash of the database, its numbers would be those of
    /// other transactions.
    ///
    /// @param now by [System#nanoTime]
    /// @return whether this node has now seen what the other one has
    public boolean follow(Beat.Look look, long now) {
        long then = ownAt + TimeUnit.MILLISECONDS.toNanos(look.millis() - ownMillis);
        if (snapshot == null
                || !Snapshot.parse(snapshot).covers(Snapshot.parse(look.from()))
                || look.millis() < millis
                || then - now > TimeUnit.MILLISECONDS.toNanos(ROUNDING_MILLIS)) {
            return false;
        }
        snapshot = look.to();
        at = then;
        millis = look.millis();
        return true;
    }

    /// Returns when the last snapshot was taken, or a little earlier, by [System#nanoTime].
    public long at() {
        return at;
    }
}
