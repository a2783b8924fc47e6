package dev.sheaf.server.node;

import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.blob.BlobStore;
import dev.sheaf.server.blob.BulkLane;
import dev.sheaf.server.blob.DiskCache;
import dev.sheaf.server.blob.DiskRoom;
import dev.sheaf.server.blob.Spool;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.metrics.Metrics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// What a process stands on: its settings, its folder, the database, the store, and its threads for work.
/// Thread-safe.
public final class Node implements AutoCloseable {
    private final Config config;
    private final DataDir dataDir;
    private final InstantSource clock;
    private final boolean afterKill;
    private final BulkLane lane = new BulkLane();
    private final FutureTask<BlobStore> store;
    private final Database database;
    private final MasterSecret master;
    private final CpuPool cpu = CpuPool.ofThisMachine();
    private final CpuPool searches = CpuPool.ofSearches();
    private final Metrics metrics = new Metrics(version());

    private Node(Config config, DataDir dataDir, InstantSource clock) {
        this.config = config;
        this.dataDir = dataDir;
        this.clock = clock;
        this.afterKill = dataDir.wasKilled();
        var storeTimes = metrics.times(
                "sheaf_store_call_seconds", "Calls to the disk or the bucket that content lies in.", "call");
        this.store = new FutureTask<>(() -> StoreSetup.open(config, dataDir, lane, storeTimes));
        Thread.ofPlatform().name("storage").daemon().start(store); // the client of a bucket takes as long as a database
        this.database = DatabaseSetup.open(config, dataDir, clock);
        try {
            this.master =
                    config.find(Setting.MASTER_KEY).map(MasterSecret::parse).orElseGet(dataDir::masterSecret);
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
        measure();
    }

    private static String version() {
        return Objects.requireNonNullElse(Node.class.getPackage().getImplementationVersion(), "development");
    }

    private void measure() {
        database.measured(metrics.times(
                "sheaf_database_call_seconds", "Transactions, with what they wait for a connection.", "kind"));
        metrics.gauge("sheaf_database_busy", "Connections to the database that are at work.", database::busy);
        metrics.gauge("sheaf_database_waiting", "Transactions that wait for a connection.", database::waiting);
        metrics.gauge(
                "sheaf_pool_waiting",
                "Pieces of work that wait for a thread.",
                "pool",
                Map.of("cpu", cpu::waiting, "search", searches::waiting));
    }

    /// Locks the folder and opens the database, with its schema brought up to date.
    ///
    /// @param clock tells the database's time
    /// @throws StartException where that cannot be, with what to do about it
    public static Node open(Config config, InstantSource clock) {
        var dataDir = DataDir.open(config.dataDir());
        try {
            return new Node(config, dataDir, clock);
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

    /// Whether the process before this one was killed.
    public boolean isAfterKill() {
        return afterKill;
    }

    public Database database() {
        return database;
    }

    /// Where bytes lie. Waits until it is open.
    ///
    /// @throws StartException where it cannot be used
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

    /// Makes a place on this node's disk for what can be made again, with what was there removed.
    ///
    /// @param most bytes of all that is kept there
    /// @param longest how long something is kept
    public DiskCache cache(String name, long most, Duration longest) {
        var folder = dataDir.cache(name);
        Spool.prepare(folder);
        var room = DiskRoom.of(folder, config.number(Setting.MIN_FREE_BYTES));
        return new DiskCache(folder, room, lane, most, longest);
    }

    /// The secret that the settings name, or that of the folder.
    public MasterSecret master() {
        return master;
    }

    /// For work that keeps a processor busy.
    public CpuPool cpu() {
        return cpu;
    }

    /// For work that keeps the database busy.
    public CpuPool searches() {
        return searches;
    }

    /// What this node counts of itself.
    public Metrics metrics() {
        return metrics;
    }

    /// Ends the threads, and refuses what waits for one.
    public void closePools() {
        cpu.close();
        searches.close();
    }

    @Override
    public void close() {
        closePools();
        database.close();
        dataDir.close();
    }
}
