package dev.sheaf.server.db;

import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.metrics.Stopwatch;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The metadata store. Thread-safe; made for callers on virtual threads, which it never pins.
///
/// Work must touch nothing but its transaction: on PostgreSQL it runs again after a serialization failure. It must
/// not begin another one.
public abstract sealed class Database implements AutoCloseable permits SqliteDatabase, PostgresDatabase {
    private final List<Consumer<Change>> listeners = new CopyOnWriteArrayList<>();
    private final InstantSource clock;
    private volatile Stopwatch times = Stopwatch.OFF;

    Database(InstantSource clock) {
        this.clock = clock;
    }

    /// Runs reads that see one state of the database.
    public final <T extends @Nullable Object> T read(Function<Tx, T> work) {
        return timed("read", () -> readNow(work));
    }

    /// Runs reads that see one state of the database, for as long as they take: on a thread and a connection of
    /// their own, so that nobody waits for them. The work may do other things meanwhile, such as write files, and
    /// runs once. While it runs, the database keeps what has been overwritten since: on SQLite the file
    /// `sheaf.db-wal` grows.
    public final <T extends @Nullable Object> T snapshot(Function<Tx, T> work) {
        return timed("snapshot", () -> snapshotNow(work));
    }

    /// Runs a transaction: when this returns, it is committed and survives a power loss; when it throws, nothing
    /// happened.
    ///
    /// @throws dev.sheaf.model.ProblemException unavailable where the database cannot commit now
    public final <T extends @Nullable Object> T write(Function<Tx, T> work) {
        return timed("write", () -> writeNow(work));
    }

    abstract <T extends @Nullable Object> T readNow(Function<Tx, T> work);

    abstract <T extends @Nullable Object> T snapshotNow(Function<Tx, T> work);

    abstract <T extends @Nullable Object> T writeNow(Function<Tx, T> work);

    interface Call<T extends @Nullable Object> {
        T run();
    }

    private <T extends @Nullable Object> T timed(String kind, Call<T> call) {
        assert CpuPool.mayWait() : "a thread that computes waits for the database";
        long since = System.nanoTime();
        try {
            return call.run();
        } finally {
            times.took(kind, System.nanoTime() - since);
        }
    }

    /// Has the time of every call measured, with what it waits for a connection.
    public void measured(Stopwatch by) {
        times = by;
    }

    /// How many connections are at work.
    public abstract int busy();

    /// How many calls wait for one.
    public abstract int waiting();

    public abstract Dialect dialect();

    /// The database's time in whole milliseconds: the one clock by which expiry is judged, on every node.
    public Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /// Calls `listener` after every commit that announced a change, here or on another node. It must be quick.
    public void onChange(Consumer<Change> listener) {
        listeners.add(listener);
    }

    /// Whether this node hears of what others commit. While it does not, nothing that is remembered may be believed.
    public boolean hears() {
        return true;
    }

    /// What a transaction inside a transaction gets, of either kind: it would wait for a thread or a connection
    /// that those around it hold, and never end once all of them do the same.
    static IllegalStateException nested() {
        return new IllegalStateException("a transaction inside a transaction");
    }

    final void announce(List<Change> changes) {
        for (Change change : changes) {
            listeners.forEach(listener -> listener.accept(change));
        }
    }

    @Override
    public abstract void close();
}
