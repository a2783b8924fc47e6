package dev.sheaf.server;

import com.zaxxer.hikari.pool.HikariPool;
import dev.sheaf.model.Secret;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Migrations;
import dev.sheaf.server.db.PostgresDatabase;
import dev.sheaf.server.db.SqliteDatabase;
import java.time.InstantSource;
import org.flywaydb.core.api.FlywayException;

/// Opens the database that the settings name, with its schema brought up to date.
final class Engine {
    private static final int SQLITE_READERS = 4;

    private Engine() {}

    static Database open(Config config, DataDir dataDir, InstantSource clock) {
        try {
            return config.find(Setting.DATABASE_URL)
                    .map(url -> postgres(config, url, clock))
                    .orElseGet(() -> {
                        var file = dataDir.madeDatabase();
                        Migrations.migrate(file);
                        return new SqliteDatabase(file, SQLITE_READERS, clock);
                    });
        } catch (Migrations.UnfitSchemaException e) {
            throw new StartException(Exit.UNFIT_SCHEMA, String.valueOf(e.getMessage()));
        } catch (FlywayException | HikariPool.PoolInitializationException e) {
            throw new StartException(Exit.DATABASE_UNREACHABLE, "the database cannot be opened: " + rootMessage(e));
        }
    }

    private static Database postgres(Config config, String url, InstantSource clock) {
        var settings = new PostgresDatabase.Settings(
                url,
                config.text(Setting.DATABASE_USER),
                Secret.of(config.text(Setting.DATABASE_PASSWORD)),
                (int) config.number(Setting.DATABASE_CONNECTIONS),
                config.find(Setting.POSTGRES_LISTEN_URL).orElse(null));
        Migrations.migrate(settings);
        return new PostgresDatabase(settings, clock);
    }

    private static String rootMessage(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
