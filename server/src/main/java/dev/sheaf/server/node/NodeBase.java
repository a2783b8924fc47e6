package dev.sheaf.server.node;

import dev.sheaf.engine.blob.BlobStore;
import dev.sheaf.engine.blob.DiskCache;
import dev.sheaf.engine.blob.DiskRoom;
import dev.sheaf.engine.blob.PrivateFiles;
import dev.sheaf.engine.blob.SpoolFile;
import dev.sheaf.engine.blob.TransferBuffers;
import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.engine.db.SqliteDatabase;
import dev.sheaf.engine.metrics.Metrics;
import dev.sheaf.engine.trace.Tracing;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.TraceSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// The base of a process: settings, data directory, database, store, and thread pools. Thread-safe.
public final class NodeBase implements AutoCloseable {
    private final Config config;
    private final DataDir dataDir;
    private final InstantSource clock;
    private final boolean afterKill;
    private final TransferBuffers buffers = new TransferBuffers();
    private final FutureTask<BlobStore> store;
    private final Database database;
    private final MasterSecret master;
    private final CpuPool cpu;
    private final CpuPool searches;
    private final @Nullable Tracing tracing;
    private final Metrics metrics;

    private NodeBase(Config config, DataDir dataDir, InstantSource clock) {
        this.config = config;
        this.cpu = CpuPool.ofThisMachine(config.duration(Setting.API_TIMEOUT));
        this.searches = CpuPool.ofSearches(config.duration(Setting.API_TIMEOUT));
        this.dataDir = dataDir;
        this.clock = clock;
        this.afterKill = dataDir.wasKilled();
        this.tracing = tracing(config);
        this.metrics = new Metrics(version(), tracing != null);
        var storeTimes = metrics.storeTimes(
                "sheaf_store_call_seconds",
                "Calls to the disk or the bucket that contains the content.",
                "call",
                "sheaf_store_bytes_total");
        boolean traced = tracing != null && config.find(Setting.S3_BUCKET).isPresent();
        var times = traced ? Tracing.bucket(storeTimes) : storeTimes;
        this.store = new FutureTask<>(() -> StoreSetup.open(config, dataDir, buffers, times));
        Thread.ofPlatform().name("storage").daemon().start(store); // a bucket's client starts as slowly as the database
        try {
            this.master =
                    config.find(Setting.MASTER_KEY).map(MasterSecret::parse).orElseGet(dataDir::masterSecret);
            this.database = DatabaseSetup.open(config, dataDir, master, clock);
        } catch (RuntimeException e) {
            awaitStore();
            throw e;
        }
        measure();
    }

    /// Returns the version of this program.
    public static String version() {
        return Objects.requireNonNullElse(NodeBase.class.getPackage().getImplementationVersion(), "development");
    }

    private static @Nullable Tracing tracing(Config config) {
        return config.find(Setting.TRACE_ENDPOINT).isEmpty()
                ? null
                : new Tracing(new Tracing.Settings(
                        TraceSettings.address(config.text(Setting.TRACE_ENDPOINT)),
                        TraceSettings.headers(config.text(Setting.TRACE_HEADERS)),
                        config.share(Setting.TRACE_RATIO),
                        version()));
    }

    private void measure() {
        var times = metrics.times(
                "sheaf_database_call_seconds", "Transactions, including the wait for a connection.", "kind");
        if (tracing == null) {
            database.measured(times);
        } else {
            database.measured(
                    Tracing.transactions(database.dialect() == SqlDialect.SQLITE ? "sqlite" : "postgresql", times));
            metrics.counts("sheaf_trace_spans_total", "Spans of traces, by their outcome.", "result", tracing::counts);
        }
        database.measuredStatements(metrics.time(
                "sheaf_database_statement_seconds",
                "Statements; on PostgreSQL, those that are sent together count as one.",
                "engine",
                database.dialect().name().toLowerCase(Locale.ROOT)));
        if (database instanceof SqliteDatabase sqlite) {
            sqlite.measuredCommits(metrics.sizes(
                    "sheaf_sqlite_commit_transactions", "Transactions that were committed together.", 64));
            metrics.gauge(
                    "sheaf_sqlite_writes_waiting", "Writes that wait for the writing thread.", sqlite::writesWaiting);
        }
        metrics.counts("sheaf_cache_hits_total", "Look-ups that a cache answered.", "cache", database::cacheHits);
        metrics.counts("sheaf_cache_misses_total", "Look-ups that a cache passed on.", "cache", database::cacheMisses);
        metrics.gauge(
                "sheaf_database_connections", "Calls that can run at once.", () -> DatabaseSetup.connections(config));
        metrics.gauge("sheaf_database_busy", "Connections to the database that are in use.", database::busy);
        metrics.gauge("sheaf_database_waiting", "Transactions that wait for a connection.", database::waiting);
        metrics.gauge(
                "sheaf_pool_waiting",
                "Pieces of work that wait for a thread.",
                "pool",
                Map.of("cpu", cpu::waiting, "search", searches::waiting));
    }

    /// Locks the data directory, opens the database and updates its schema.
    ///
    /// @param clock the clock of the database
    /// @throws StartException if the node cannot be opened; the message says what to do
    public static NodeBase open(Config config, InstantSource clock) {
        var dataDir = DataDir.open(config.dataDir());
        try {
            return new NodeBase(config, dataDir, clock);
        } catch (RuntimeException e) {
            dataDir.close();
            throw e;
        }
    }

    public Config config() {
        return config;
    }

    public DataDir dataDir() {
        return dataDir;
    }

    public InstantSource clock() {
        return clock;
    }

    /// Returns whether the previous process was killed.
    public boolean isAfterKill() {
        return afterKill;
    }

    public Database database() {
        return database;
    }

    /// Returns the store of content. Waits until it is open.
    ///
    /// @throws StartException if the store cannot be used
    public BlobStore store() {
        try {
            return store.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it starts", e);
        }
    }

    /// Returns an empty cache on this node's disk, for files that can be recreated.
    ///
    /// @param most the limit of all files together, in bytes
    /// @param longest how long a file is kept
    public DiskCache cache(String name, long most, Duration longest) {
        var folder = dataDir.cache(name);
        SpoolFile.prepare(folder);
        var room = DiskRoom.of(folder, config.number(Setting.MIN_FREE_BYTES));
        return new DiskCache(folder, room, buffers, most, longest);
    }

    /// Returns a folder on this node's disk for files that can be recreated. They stay between starts, and only this
    /// process uses them.
    public Path cacheFolder(String name) {
        var folder = dataDir.cache(name);
        try {
            return PrivateFiles.folder(folder);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the folder " + folder, e);
        }
    }

    /// Returns the master secret from the settings, or else from the data directory.
    public MasterSecret master() {
        return master;
    }

    /// Returns the pool for work that keeps a processor busy.
    public CpuPool cpu() {
        return cpu;
    }

    /// Returns the pool for work that keeps the database busy.
    public CpuPool searches() {
        return searches;
    }

    /// Returns the metrics of this node.
    public Metrics metrics() {
        return metrics;
    }

    /// Returns what records traces; null if that is off.
    public @Nullable Tracing tracing() {
        return tracing;
    }

    /// Ends the threads of both pools, and refuses waiting work.
    public void closePools() {
        cpu.close();
        searches.close();
    }

    @Override
    public void close() {
        closePools();
        database.close();
        if (tracing != null) {
            tracing.close();
        }
        awaitStore();
        dataDir.close();
    }

    /// Waits until the store is open, or could not be opened: that empties a folder of the data directory, which
    /// another process may use once the lock is gone. A silent bucket takes ten seconds.
    private void awaitStore() {
        try {
            store.get();
        } catch (ExecutionException e) {
            // who needs the store is told
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
