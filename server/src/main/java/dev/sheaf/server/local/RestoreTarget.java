package dev.sheaf.server.local;

import dev.sheaf.engine.blob.TransferBuffers;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.metrics.CallTimes;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.maintenance.backup.Restore;
import dev.sheaf.server.node.DataDir;
import dev.sheaf.server.node.DatabaseSetup;
import dev.sheaf.server.node.StoreSetup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/// The installation that the settings name, for a restore. Nothing is written to it before the backup was
/// checked.
final class RestoreTarget implements Restore.Target, AutoCloseable {
    private final Config config;
    private final Path scratch;
    private final Database schema;
    private DataDir dataDir;
    private @Nullable Database database;

    private RestoreTarget(Config config, DataDir dataDir) throws IOException {
        this.config = config;
        this.dataDir = dataDir;
        this.scratch = Files.createTempDirectory("sheaf-restore");
        this.schema = DatabaseSetup.scratch(scratch.resolve("sheaf.db"));
    }

    /// @throws StartException if a server uses the data directory, or it cannot be written
    static RestoreTarget look(Config config) {
        var dataDir = DataDir.look(config.dataDir());
        try {
            return new RestoreTarget(config, dataDir);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the secret that the installation will run with.
    ///
    /// @throws StartException if there is none. A new secret would not help, because the backup needs the old
    /// one
    MasterSecret master() {
        return config.find(Setting.MASTER_KEY)
                .map(MasterSecret::parse)
                .or(dataDir::keptMasterSecret)
                .orElseThrow(() -> new StartException(
                        ServerExit.FAILED,
                        "the backup cannot be trusted: this installation has no master key to check its seal with."
                                + " First give it the master key of the installation that was backed up: as "
                                + dataDir.masterKey() + ", or as SHEAF_MASTER_KEY"));
    }

    @Override
    public Database schema() {
        return schema;
    }

    @Override
    public long count(String query) {
        StoreSetup.look(config);
        return DatabaseSetup.count(config, dataDir, query);
    }

    @Override
    public Restore.Destination open() {
        dataDir.close();
        dataDir = DataDir.open(config.dataDir());
        var store = StoreSetup.open(config, dataDir, new TransferBuffers(), CallTimes.OFF);
        var opened = DatabaseSetup.open(config, dataDir, master(), InstantSource.system());
        database = opened;
        return new Restore.Destination(opened, store);
    }

    @Override
    public void close() {
        if (database != null) {
            database.close();
        }
        dataDir.close();
        schema.close();
        try (var files = Files.walk(scratch)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            // the system cleans up its directory for temporary files
        }
    }
}
