package dev.sheaf.engine.db;

import com.github.benmanes.caffeine.cache.stats.CacheStats;
import com.github.benmanes.caffeine.cache.stats.ConcurrentStatsCounter;
import com.github.benmanes.caffeine.cache.stats.StatsCounter;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.metrics.CallTimes;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The metadata store. Thread-safe; made for callers on virtual threads, which it never pins.
///
/// Work must touch nothing except its transaction, because PostgreSQL runs it again after a serialization failure.
/// It must not begin another transaction.
public abstract sealed class Database implements AutoCloseable permits SqliteDatabase, PostgresDatabase {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);

    private final List<Consumer<DataChange>> listeners = new CopyOnWriteArrayList<>();
    private final InstantSource clock;
    private final Map<String, ConcurrentStatsCounter> caches = new ConcurrentHashMap<>();
    private final DatabaseDamage damage = new DatabaseDamage();
    private volatile CallTimes times = CallTimes.OFF;
    private volatile LongConsumer statements = nanos -> {};
    private volatile Runnable beforeWrite = () -> {};
    private volatile Runnable damagedSearch = () -> {};

    Database(InstantSource clock) {
        this.clock = clock;
    }

    /// Runs reads that see one state of the database.
    public final <T extends @Nullable Object> T read(Function<Tx, T> work) {
        return timed("read", () -> readNow(work));
    }

    /// Runs long reads that see one state of the database, on their own thread and connection, so that nothing
    /// else waits for them. The work runs once and may do other things, such as writing files. While it runs, the
    /// database keeps everything that is overwritten; on SQLite the file `sheaf.db-wal` grows.
    public final <T extends @Nullable Object> T snapshot(Function<Tx, T> work) {
        return timed("snapshot", () -> snapshotNow(work));
    }

    /// Runs a transaction. When this returns, it is committed and survives a power loss; when it throws, nothing
    /// was changed, except with [AnswerLostException].
    ///
    /// @throws dev.sheaf.model.ProblemException unavailable if the database cannot commit now or is damaged
    public final <T extends @Nullable Object> T write(Function<Tx, T> work) {
        beforeWrite.run();
        damage.check();
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
        Throwable failure = null;
        try {
            return call.run();
        } catch (RuntimeException | Error e) {
            failure = e;
            if (DatabaseDamage.isCauseOf(e)) {
                damage.met(e);
                throw DatabaseDamage.refusal();
            }
            if (DatabaseDamage.isOfSearch(e)) {
                damagedSearch.run();
                throw DatabaseDamage.searchRefusal();
            }
            throw e;
        } finally {
            times.took(kind, System.nanoTime() - since, failure);
        }
    }

    /// Makes a stopwatch measure every call, including the wait for a connection.
    public void measured(CallTimes by) {
        times = by;
    }

    /// Makes `by` receive the duration of every statement, in nanoseconds. On PostgreSQL, statements that are sent
    /// together count as one.
    public void measuredStatements(LongConsumer by) {
        statements = by;
    }

    /// Passes on the durations of statements.
    final SqlLogger logger() {
        return new SqlLogger() {
            @Override
            public void logAfterExecution(StatementContext context) {
                statements.accept(context.getElapsedTime(ChronoUnit.NANOS));
            }

            @Override
            public void logException(StatementContext context, SQLException e) {
                statements.accept(context.getElapsedTime(ChronoUnit.NANOS));
            }
        };
    }

    /// Returns the counter of the caches with this name.
    public final StatsCounter cache(String name) {
        return caches.computeIfAbsent(name, missing -> new ConcurrentStatsCounter());
    }

    /// Returns how many look-ups each cache has answered, by its name.
    public Map<String, Double> cacheHits() {
        return cacheCounts(CacheStats::hitCount);
    }

    /// Returns how many look-ups each cache has passed on, by its name.
    public Map<String, Double> cacheMisses() {
        return cacheCounts(CacheStats::missCount);
    }

    private Map<String, Double> cacheCounts(ToLongFunction<CacheStats> count) {
        var counts = new HashMap<String, Double>();
        caches.forEach((name, its) -> counts.put(name, (double) count.applyAsLong(its.snapshot())));
        return counts;
    }

    /// Returns what is known about damage of the database.
    public DatabaseDamage damage() {
        return damage;
    }

    /// Makes `repair` run when a call met damage of the search index alone. It must be fast.
    public void onDamagedSearch(Runnable repair) {
        damagedSearch = repair;
    }

    /// Returns whether calls are refused at once because the database is known not to answer.
    public boolean isRefusing() {
        return false;
    }

    /// Runs `check` on the thread of each writer before its transaction. It may refuse the write.
    public void beforeWrites(Runnable check) {
        beforeWrite = check;
    }

    /// Returns the number of connections in use.
    public abstract int busy();

    /// Returns the number of calls that wait for a connection.
    public abstract int waiting();

    public abstract SqlDialect dialect();

    /// Returns the database's time in whole milliseconds. All nodes use this clock to check expiry.
    public Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /// Calls `listener` after every commit that announced a change, on this node or another. It must be fast.
    public void onChange(Consumer<DataChange> listener) {
        listeners.add(listener);
    }

    /// Returns whether this node has read what other nodes changed, less than two seconds ago. If not, cached data must
    /// not be used.
    public boolean isCurrent() {
        return true;
    }

    /// Returns whether it could not do so for so long that lack of processors is no explanation.
    public boolean isBehind() {
        return false;
    }

    /// Returns the error for a transaction inside another, of either kind: it would wait for a thread or a
    /// connection that the outer one holds, and never end once all of them do the same.
    static IllegalStateException nested() {
        return new IllegalStateException("a transaction inside a transaction");
    }

    final void announce(List<DataChange> changes) {
        boolean failed = false;
        for (DataChange change : changes) {
            for (var listener : listeners) {
                failed |= !isTaken(change, listener);
            }
        }
        if (failed) { // one did not understand what changed, so all forget everything
            listeners.forEach(listener -> isTaken(DataChange.EVERYTHING, listener));
        }
    }

    /// The change is committed, and the other listeners must learn of it, whatever one of them does.
    private static boolean isTaken(DataChange change, Consumer<DataChange> listener) {
        try {
            listener.accept(change);
            return true;
        } catch (RuntimeException e) {
            LOG.error("a cache could not take the change {}", change, e);
            return false;
        }
    }

    @Override
    public abstract void close();
}
