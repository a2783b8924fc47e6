package dev.sheaf.server.node;

import com.zaxxer.hikari.pool.HikariPool;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.DatabaseDamage;
import dev.sheaf.engine.db.PostgresDatabase;
import dev.sheaf.engine.db.SqliteDatabase;
import dev.sheaf.engine.db.outage.RootCause;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.schema.Migrations;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.flywaydb.core.api.FlywayException;

/// Opens the database that the settings name, and updates its schema.
public final class DatabaseSetup {
    private static final int SQLITE_READERS = 4;
    private static final UnaryOperator<String> NO_HINTS = text -> {
        throw new IllegalStateException("a look at the schema sends no hints");
    };

    private DatabaseSetup() {}

    /// @param master of the installation; only nodes that know it can send hints to this one
    public static Database open(Config config, DataDir dataDir, MasterSecret master, InstantSource clock) {
        return told(
                config,
                () -> config.find(Setting.DATABASE_URL)
                        .map(url -> postgres(config, url, master, clock))
                        .orElseGet(() -> embedded(dataDir.madeDatabase(), clock)));
    }

    /// Returns the result of a counting query; 0 if the database has no schema yet. Writes nothing.
    ///
    /// @throws StartException if [#open] would refuse the database
    public static long count(Config config, DataDir dataDir, String query) {
        return told(
                config,
                () -> config.find(Setting.DATABASE_URL)
                        .map(url -> Migrations.count(settings(config, url, NO_HINTS), query))
                        .orElseGet(() ->
                                Files.exists(dataDir.database()) ? Migrations.count(dataDir.database(), query) : 0L));
    }

    /// Returns the changes that an upgrade to this program would make to the database. Writes nothing.
    ///
    /// @throws StartException if [#open] would refuse the database
    public static Migrations.Plan plan(Config config, Path embedded) {
        return told(
                config,
                () -> config.find(Setting.DATABASE_URL)
                        .map(url -> Migrations.plan(settings(config, url, NO_HINTS)))
                        .orElseGet(() -> Migrations.plan(embedded)));
    }

    /// Opens the embedded database without a look at its schema, because it may be damaged.
    ///
    /// @throws StartException if there is none
    public static Database damaged(DataDir dataDir) {
        if (!Files.exists(dataDir.database())) {
            throw new StartException(
                    ServerExit.DATA_DIR_UNUSABLE,
                    "there is no database in " + dataDir.root() + "; name the data directory of it");
        }
        return new SqliteDatabase(dataDir.database(), 1, InstantSource.system());
    }

    /// Returns an empty embedded database with this program's schema.
    public static Database scratch(Path file) {
        return told(Optional.empty(), () -> embedded(file, InstantSource.system()));
    }

    /// Returns how many calls can run at the same time.
    static double connections(Config config) {
        return config.find(Setting.DATABASE_URL).isPresent()
                ? config.number(Setting.DATABASE_CONNECTIONS)
                : SQLITE_READERS + 1; // and the writer
    }

    private static Database embedded(Path file, InstantSource clock) {
        Migrations.migrate(file);
        return new SqliteDatabase(file, SQLITE_READERS, clock);
    }

    private static <T> T told(Config config, Supplier<T> work) {
        return told(config.find(Setting.DATABASE_URL), work);
    }

    private static <T> T told(Optional<String> url, Supplier<T> work) {
        try {
            return work.get();
        } catch (Migrations.UnfitSchemaException e) {
            throw new StartException(ServerExit.UNFIT_SCHEMA, String.valueOf(e.getMessage()));
        } catch (FlywayException | HikariPool.PoolInitializationException e) {
            if (DatabaseDamage.isCauseOf(e)) {
                var refused = new StartException(
                        ServerExit.DATABASE_UNREACHABLE,
                        "the database cannot be opened, because it is damaged (" + without(url, RootCause.of(e))
                                + "); see docs/integrity.md#a-damaged-database");
                refused.initCause(e);
                throw refused;
            }
            throw new StartException(
                    ServerExit.DATABASE_UNREACHABLE,
                    "the database cannot be opened: " + without(url, RootCause.of(e))
                            + url.map(its -> " (" + Setting.DATABASE_URL.key() + " is " + address(its) + ")")
                                    .orElse(""),
                    url.isPresent() && PostgresDatabase.isPassing(e));
        }
    }

    /// Returns the message without parameters of the address, which may contain a password.
    private static String without(Optional<String> url, String message) {
        return url.map(its -> message.replace(its, address(its))).orElse(message);
    }

    /// Returns the address without its parameters and without a user.
    static String address(String url) {
        int parameters = url.indexOf('?');
        return (parameters < 0 ? url : url.substring(0, parameters)).replaceFirst("//.*@", "//");
    }

    private static Database postgres(Config config, String url, MasterSecret master, InstantSource clock) {
        var settings = settings(config, url, text -> master.seal("messages/1", text.getBytes(StandardCharsets.UTF_8)));
        Migrations.migrate(settings);
        return new PostgresDatabase(settings, clock);
    }

    private static PostgresDatabase.Settings settings(Config config, String url, UnaryOperator<String> seal) {
        return new PostgresDatabase.Settings(
                url,
                config.text(Setting.DATABASE_USER),
                Secret.of(config.text(Setting.DATABASE_PASSWORD)),
                (int) config.number(Setting.DATABASE_CONNECTIONS),
                config.find(Setting.POSTGRES_LISTEN_URL).orElse(null),
                seal);
    }
}
