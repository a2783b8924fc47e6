package dev.sheaf.server;

import dev.sheaf.model.Handle;
import dev.sheaf.model.KeyFormat;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Secret;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.Subject;
import dev.sheaf.server.blob.BlobStore;
import dev.sheaf.server.bundle.BundleDeletion;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.http.Certificates;
import dev.sheaf.server.http.HttpServer;
import dev.sheaf.server.http.Route;
import dev.sheaf.server.http.Site;
import dev.sheaf.server.integrity.Restore;
import dev.sheaf.server.registry.Signatures;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A running node, from opening the data directory to closing it.
public final class App implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(App.class);

    private static final Duration CERTIFICATES_READ = Duration.ofSeconds(10);

    private final Config config;
    private final DataDir dataDir;
    private final Database database;
    private final Wiring wiring;
    private final HttpServer server;
    private final @Nullable Secret firstKey;
    private final Optional<Certificates> certificates;
    private final Timer timer = new Timer();

    /// @param unclean whether the process before this one was killed
    private App(
            Config config, DataDir dataDir, Database database, BlobStore store, InstantSource clock, boolean unclean) {
        this.config = config;
        this.dataDir = dataDir;
        this.database = database;
        if (Restore.isUnfinished(database)) {
            throw new StartException(
                    Exit.RESTORE_UNFINISHED,
                    "a restore into this installation has not come to its end; run it again, or begin with an empty"
                            + " database");
        }
        this.wiring = new Wiring(config, dataDir, database, store, clock);
        wiring.access().checkMaster(dataDir);
        this.firstKey = wiring.access()
                .bootstrap()
                .run(Handle.parse(config.text(Setting.BOOTSTRAP_ORG)), dataDir::keepBootstrapKey)
                .orElse(null);
        Signatures.noteMissing(database);
        this.certificates = certificates(config);
        this.server = listen(config, wiring, certificates);
        certificates.ifPresent(known -> timer.every(CERTIFICATES_READ, known::reload));
        wiring.access().begin(timer);
        timer.every(Duration.ofDays(1), this::noteEndOfAudit);
        timer.every(Duration.ofSeconds(1), wiring.rateSharing());
        timer.every(Duration.ofSeconds(3), wiring.downloads()::flush);
        timer.every(Duration.ofMinutes(10), wiring.idempotency()::purge);
        timer.every(Duration.ofHours(1), wiring.access().identity()::purge);
        timer.every(Duration.ofHours(1), this::rotateKeys);
        timer.every(Duration.ofHours(1), wiring.access().tokens()::purge);
        wiring.upkeep().begin(timer, unclean);
        timer.every(Duration.ofMinutes(10), wiring.bundleDeletion()::purgeDue);
    }

    /// Starts a node; when this returns, it answers.
    ///
    /// @throws StartException where it cannot, with what to do about it
    public static App start(Config config) {
        return start(config, InstantSource.system());
    }

    static App start(Config config, InstantSource clock) {
        var dataDir = DataDir.open(config.dataDir());
        var store = new FutureTask<>(() -> Storage.open(config, dataDir));
        Thread.ofPlatform().name("storage").daemon().start(store); // the client of a bucket takes as long as a database
        Database database = null;
        try {
            boolean unclean = dataDir.wasKilled();
            database = Engine.open(config, dataDir, clock);
            return new App(config, dataDir, database, await(store), clock, unclean);
        } catch (RuntimeException e) {
            if (database != null) {
                database.close();
            }
            dataDir.close();
            if (e instanceof ProblemException problem) {
                throw new StartException(Exit.USAGE, problem.problem().detail());
            }
            throw e;
        }
    }

    private static BlobStore await(Future<BlobStore> store) {
        try {
            return store.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while it starts", e);
        }
    }

    private static Optional<Certificates> certificates(Config config) {
        try {
            return EdgeWiring.certificates(config);
        } catch (IllegalArgumentException e) {
            throw new StartException(Exit.USAGE, String.valueOf(e.getMessage()));
        }
    }

    private static HttpServer listen(Config config, Wiring wiring, Optional<Certificates> certificates) {
        var address = new HttpServer.Address(
                config.text(Setting.HOST), (int) config.number(Setting.PORT), config.isOn(Setting.HTTP2));
        try {
            return new HttpServer(
                    address, EdgeWiring.room(config), EdgeWiring.times(config), certificates, wiring.dispatcher());
        } catch (UncheckedIOException e) {
            throw new StartException(
                    Exit.PORT_TAKEN,
                    "cannot listen on " + address.host() + ":" + address.port()
                            + ": the port is taken or the address is not this machine's; stop what uses the port, or"
                            + " choose others with --port and --host");
        }
    }

    /// In the log it is out of the database's reach.
    private void noteEndOfAudit() {
        LOG.info("the audit log ends at {}", wiring.access().chain().end());
    }

    private void rotateKeys() {
        long days = config.number(Setting.TOKEN_KEY_DAYS);
        if (days > 0) {
            wiring.access().signingKeys().rotateAfter(Duration.ofDays(days));
        }
    }

    public int port() {
        return server.port();
    }

    /// Where the node is reached, as far as it knows.
    public String url() {
        return config.find(Setting.PUBLIC_URL)
                .orElseGet(() -> (certificates.isPresent() ? "https://" : "http://") + listens());
    }

    /// The host and the port of this machine that it listens at.
    String listens() {
        return Site.host(config.text(Setting.HOST)) + ":" + port();
    }

    /// Creates another organization; the secret of its admin key.
    Secret newOrganization(Handle handle) {
        var secret = KeyFormat.generate();
        wiring.access().bootstrap().create(handle, secret);
        return secret;
    }

    /// Signs an access token.
    Secret issue(Subject subject, Grant grant) {
        return wiring.access().registry().tokens().issue(subject, grant, database.now());
    }

    /// Tells of keys that end soon, without waiting for the timer.
    void tellOfExpiry() {
        wiring.access().keyExpiry().run();
    }

    /// Writes what was downloaded, without waiting for the timer.
    void countDownloads() {
        wiring.downloads().flush();
    }

    /// Writes what was refused into the audit log, without waiting for the timer.
    void writeRefusals() {
        wiring.access().refusals().flush();
    }

    Database database() {
        return database;
    }

    BlobStore store() {
        return wiring.store();
    }

    List<Route> routes() {
        return wiring.routes();
    }

    BundleDeletion bundleDeletion() {
        return wiring.bundleDeletion();
    }

    String engine() {
        return switch (database.dialect()) {
            case SQLITE -> "SQLite";
            case POSTGRES -> "PostgreSQL";
        };
    }

    Path dataDir() {
        return config.dataDir();
    }

    String organization() {
        return config.text(Setting.BOOTSTRAP_ORG);
    }

    Path bootstrapKey() {
        return dataDir.bootstrapKey();
    }

    /// The admin key that this start made, if it was the first.
    public Optional<Secret> firstKey() {
        return Optional.ofNullable(firstKey);
    }

    /// Finishes running requests, at most `limit`, and refuses new ones; then closes everything.
    ///
    /// @return how many requests were cut off
    public int stop(Duration limit) {
        int cut = server.stop(limit);
        wiring.upkeep().stop();
        wiring.closePools();
        timer.stop();
        Stream.concat(wiring.access().last().stream(), Stream.of(wiring.downloads()::flush))
                .forEach(App::finish);
        database.close();
        dataDir.close();
        return cut;
    }

    private static void finish(Runnable last) {
        try {
            last.run();
        } catch (RuntimeException e) {
            LOG.warn("something of the last seconds was not written: uses of keys, downloads, or a report", e);
        }
    }

    @Override
    public void close() {
        stop(Duration.ZERO);
    }
}
