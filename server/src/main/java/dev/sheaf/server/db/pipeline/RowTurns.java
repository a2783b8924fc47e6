package dev.sheaf.server.db.pipeline;

import dev.sheaf.model.Problem;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Lets one writer of this node at a time wait in the database for a row that others have locked. The other writers
/// wait here, without a connection, in the order in which they came. So the writers of one bundle leave connections
/// to everybody else. Thread-safe.
///
/// A writer takes its turn first and its place in [Shares] second, so it may wait for a place during its turn, and the
/// next writers of the row with it. The other order is worse: all who wait for the turn would hold places, and a few of
/// them the whole share of their organization. The row is a bundle, whose writers belong to one organization, so those
/// who wait longer are of the organization that uses up its share.
public final class RowTurns {
    private static final int TURNS = 1_024;
    private static final Duration LONGEST = Duration.ofSeconds(8);

    private final List<Semaphore> turns =
            Stream.generate(() -> new Semaphore(1, true)).limit(TURNS).toList();

    /// Thrown if another transaction has locked the row.
    public static final class RowLockedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final String row;

        /// @param row its name
        public RowLockedException(String row) {
            super(row, null, false, false);
            this.row = row;
        }
    }

    /// Runs work that does not wait for rows. If it needs a row that is locked, runs `patient` instead, when it
    /// is its turn.
    ///
    /// @throws dev.sheaf.model.ProblemException unavailable after eight seconds without a turn
    public <T extends @Nullable Object> T run(Supplier<T> impatient, Supplier<T> patient) {
        try {
            return impatient.get();
        } catch (RowLockedException e) {
            return inTurn(e.row, patient);
        }
    }

    private <T extends @Nullable Object> T inTurn(String row, Supplier<T> work) {
        var turn = turns.get(Math.floorMod(row.hashCode(), TURNS));
        try {
            if (!turn.tryAcquire(LONGEST.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new Problem.Unavailable("too many writers are changing " + row + "; try again", 1).raise();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Problem.Unavailable("the node is stopping; try again", 1).raise();
        }
        try {
            return work.get();
        } finally {
            turn.release();
        }
    }
}
