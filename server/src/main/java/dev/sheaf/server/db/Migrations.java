package dev.sheaf.server.db;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/// Brings the schema up to this program's.
public final class Migrations {
    private Migrations() {}

    /// The database was written by a newer program.
    public static final class NewerSchemaException extends RuntimeException {
        private static final long serialVersionUID = 1;

        NewerSchemaException(MigrationVersion found, MigrationVersion known) {
            super("the database has schema version " + found + ", and this program knows " + known
                    + "; start the newer program again, or restore a backup made before the upgrade");
        }
    }

    /// Creates or upgrades the schema in the SQLite file.
    ///
    /// @throws NewerSchemaException where the file's schema is ahead of this program
    public static void migrate(Path sqliteFile) {
        migrate(
                Flyway.configure()
                        .dataSource("jdbc:sqlite:" + sqliteFile + "?journal_mode=WAL&synchronous=FULL", "", ""),
                Dialect.SQLITE);
    }

    /// Creates or upgrades the schema on PostgreSQL; nodes that start together do it one after the other.
    ///
    /// @throws NewerSchemaException where the schema is ahead of this program
    public static void migrate(PostgresDatabase.Settings settings) {
        migrate(
                Flyway.configure()
                        .dataSource(
                                settings.listensAt(),
                                settings.user(),
                                settings.password().expose())
                        .jdbcProperties(PostgresLines.forMigrations()),
                Dialect.POSTGRES);
    }

    private static void migrate(FluentConfiguration where, Dialect dialect) {
        var flyway = where.locations("classpath:db")
                .placeholders(dialect.placeholders())
                .load();
        var info = flyway.info();
        var current = info.current();
        var all = info.all();
        var known = Arrays.stream(all)
                .filter(migration -> migration.getState().isResolved())
                .map(migration -> migration.getVersion())
                .max(Comparator.naturalOrder())
                .orElse(MigrationVersion.EMPTY);
        if (current != null && current.getVersion().compareTo(known) > 0) {
            throw new NewerSchemaException(current.getVersion(), known);
        }
        flyway.migrate();
    }
}
