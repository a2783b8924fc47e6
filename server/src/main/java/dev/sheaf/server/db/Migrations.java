package dev.sheaf.server.db;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.Predicate;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.CoreErrorCode;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/// Upgrades the schema to the version of this program.
public final class Migrations {
    private static final String EMPTY = "give Sheaf a database, or a schema of its own, that is empty";

    private static final MigrationVersion FIRST = MigrationVersion.fromVersion("1");
    private static final String FIRST_NAME = "first schema";

    private Migrations() {}

    /// Thrown if this program may not use the database. The message says why and what to do.
    public static class UnfitSchemaException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnfitSchemaException(String message) {
            super(message);
        }
    }

    /// Thrown if the database was written by a newer program.
    public static final class NewerSchemaException extends UnfitSchemaException {
        private static final long serialVersionUID = 1;

        NewerSchemaException(MigrationVersion found, MigrationVersion known) {
            super("the database has schema version " + found + ", and this program knows " + known
                    + "; start the newer program again, or restore a backup made before the upgrade");
        }
    }

    /// Creates or upgrades the schema in the SQLite file.
    ///
    /// @throws UnfitSchemaException if the schema is newer than this program, or belongs to another program
    public static void migrate(Path sqliteFile) {
        migrate(
                Flyway.configure()
                        .dataSource("jdbc:sqlite:" + sqliteFile + "?journal_mode=WAL&synchronous=FULL", "", ""),
                Dialect.SQLITE);
    }

    /// Creates or upgrades the schema on PostgreSQL. Nodes that start at the same time do it one after the other.
    ///
    /// @throws UnfitSchemaException if the schema is newer than this program, or belongs to another program
    public static void migrate(PostgresDatabase.Settings settings) {
        migrate(on(settings), Dialect.POSTGRES);
    }

    private static FluentConfiguration on(PostgresDatabase.Settings settings) {
        return Flyway.configure()
                .dataSource(
                        settings.listensAt(),
                        settings.user(),
                        settings.password().expose())
                .jdbcProperties(PostgresLines.forMigrations());
    }

    /// Runs a counting query on the SQLite file without writing anything. Returns 0 if it has no schema yet.
    ///
    /// @throws UnfitSchemaException as [#migrate]
    public static long count(Path sqliteFile, String query) {
        boolean quiet = !Files.exists(Path.of(sqliteFile + "-wal"));
        String how = quiet ? "?mode=ro&immutable=1" : "?mode=ro";
        return count(
                Flyway.configure()
                        .dataSource(
                                "jdbc:sqlite:"
                                        + sqliteFile
                                                .toAbsolutePath()
                                                .toUri()
                                                .toString()
                                                .replaceFirst("^file:/+", "file:/")
                                        + how,
                                "",
                                ""),
                Dialect.SQLITE,
                query);
    }

    /// Runs a counting query on PostgreSQL without writing anything. Returns 0 if it has no schema yet.
    ///
    /// @throws UnfitSchemaException as [#migrate]
    public static long count(PostgresDatabase.Settings settings, String query) {
        return count(on(settings), Dialect.POSTGRES, query);
    }

    private static long count(FluentConfiguration where, Dialect dialect, String query) {
        var flyway = flyway(where, dialect);
        boolean isNew = checked(flyway).equals(MigrationVersion.EMPTY);
        try (var connection = flyway.getConfiguration().getDataSource().getConnection()) {
            return isNew ? none(connection) : count(connection, query);
        } catch (SQLException e) {
            throw new FlywayException(e);
        }
    }

    private static long none(Connection connection) throws SQLException {
        try (var tables =
                connection.getMetaData().getTables(null, connection.getSchema(), "%", new String[] {"TABLE"})) {
            if (tables.next()) {
                throw foreign();
            }
            return 0;
        }
    }

    private static long count(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            return rows.next() ? rows.getLong(1) : 0;
        }
    }

    private static UnfitSchemaException foreign() {
        return new UnfitSchemaException("the database holds tables of something else; " + EMPTY);
    }

    private static Flyway flyway(FluentConfiguration where, Dialect dialect) {
        return where.locations("classpath:db")
                .placeholders(dialect.placeholders())
                .load();
    }

    private static void migrate(FluentConfiguration where, Dialect dialect) {
        var flyway = flyway(where, dialect);
        checked(flyway);
        try {
            flyway.migrate();
        } catch (FlywayException e) {
            if (e.getErrorCode() == CoreErrorCode.NON_EMPTY_SCHEMA_WITHOUT_SCHEMA_HISTORY_TABLE) {
                throw foreign();
            }
            throw e;
        }
    }

    /// Returns the version of the schema, if this program can use or upgrade it.
    private static MigrationVersion checked(Flyway flyway) {
        var all = flyway.info().all();
        for (MigrationInfo migration : all) {
            refuseForeign(migration);
        }
        var known = highest(all, migration -> migration.getState().isResolved());
        var found = highest(all, migration -> migration.getState().isApplied());
        if (found.compareTo(known) > 0) {
            throw new NewerSchemaException(found, known);
        }
        for (MigrationInfo migration : all) {
            refuseEdited(migration);
        }
        return found;
    }

    private static MigrationVersion highest(MigrationInfo[] all, Predicate<MigrationInfo> which) {
        return Arrays.stream(all)
                .filter(which)
                .map(MigrationInfo::getVersion)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(MigrationVersion.EMPTY);
    }

    /// Refuses the schema of another program, whose migrations are also numbered from 1.
    private static void refuseForeign(MigrationInfo migration) {
        if (migration.getState().isApplied()
                && FIRST.equals(migration.getVersion())
                && !FIRST_NAME.equals(migration.getDescription())) {
            throw new UnfitSchemaException("the database is another program's: it calls its migration "
                    + migration.getVersion() + " \"" + migration.getDescription() + "\"; " + EMPTY);
        }
    }

    private static void refuseEdited(MigrationInfo migration) {
        if (isBoth(migration) && !migration.isChecksumMatching()) {
            throw new UnfitSchemaException("the database was made by another build of this program: its migration "
                    + migration.getVersion() + " (" + migration.getDescription()
                    + ") is not the one that this program has; start the program that made it,"
                    + " or restore a backup into an empty database");
        }
    }

    private static boolean isBoth(MigrationInfo migration) {
        return migration.getState().isApplied() && migration.getState().isResolved();
    }
}
