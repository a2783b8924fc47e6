package dev.sheaf.server.schema;

import dev.sheaf.engine.db.PostgresDatabase;
import dev.sheaf.engine.db.PostgresLines;
import dev.sheaf.engine.db.SqlDialect;
import dev.sheaf.model.text.Quoted;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.CoreErrorCode;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Upgrades the schema to the version of this program.
public final class Migrations {
    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);
    private static final String EMPTY = "give Sheaf an empty database or an empty schema of its own";

    private static final MigrationVersion FIRST = MigrationVersion.fromVersion("23");
    private static final String FIRST_NAME = "baseline";
    /// The first migration of releases 0.1 and 0.2, whose schemas end at 22.
    private static final MigrationVersion FIRST_OF_OLD = MigrationVersion.fromVersion("1");

    private static final String FIRST_NAME_OF_OLD = "first schema";

    /// The oldest schema whose programs can use a database of this program. Later migrations only add to it. A
    /// migration that removes or renames what a program of this schema uses must raise it.
    private static final int OLDEST = 23;

    private static final Duration LOCK_PAUSE = Duration.ofSeconds(7);
    private static final int LOCK_TRIES = 60;
    private static final String LOCK_NOT_AVAILABLE = "55P03"; // PostgreSQL, appendix A

    private static final String OLDEST_NOTED = "SELECT value FROM setting WHERE name = 'oldest-schema'";

    private static final String NOTE_OLDEST = """
            INSERT INTO setting (name, value) VALUES ('oldest-schema', ?)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            WHERE CAST(setting.value AS INTEGER) < CAST(excluded.value AS INTEGER)""";

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
            super("the database has schema version " + found + ", but this program only knows " + known
                    + "; start the newer program again, or restore a backup made before the upgrade");
        }
    }

    /// What an upgrade of a database to this program would do.
    ///
    /// @param found the schema of the database; 0 if it has none
    /// @param known the schema of this program
    /// @param oldest programs that know this schema or a newer one can use the database afterwards
    /// @param pending the descriptions of the migrations that would run, in order
    public record Plan(int found, int known, int oldest, List<String> pending) {
        public Plan {
            pending = List.copyOf(pending);
        }

        /// Returns whether programs that use the database now can use it afterwards too.
        public boolean servesPresent() {
            return found >= oldest;
        }
    }

    /// Creates or upgrades the schema in the SQLite file. A newer schema is left as it is if it serves this
    /// program.
    ///
    /// @throws UnfitSchemaException if the schema is too new for this program, or belongs to another program
    public static void migrate(Path sqliteFile) {
        migrate(
                Flyway.configure()
                        .dataSource("jdbc:sqlite:" + sqliteFile + "?journal_mode=WAL&synchronous=FULL", "", ""),
                SqlDialect.SQLITE);
    }

    /// Creates or upgrades the schema on PostgreSQL. Nodes that start at the same time do it one after the other.
    ///
    /// @throws UnfitSchemaException as for SQLite
    public static void migrate(PostgresDatabase.Settings settings) {
        migrate(settings, LOCK_PAUSE);
    }

    /// @param pause how long other transactions go on before a migration waits for a table again
    static void migrate(PostgresDatabase.Settings settings, Duration pause) {
        for (int left = LOCK_TRIES; ; left--) {
            try {
                migrate(on(settings), SqlDialect.POSTGRES);
                return;
            } catch (FlywayException e) {
                if (left == 1 || !isLocked(e)) {
                    throw e;
                }
                LOG.warn(
                        "a table that the upgrade of the schema changes is in use by a long transaction, such as a backup;"
                                + " trying again in {} s, {} more times",
                        pause.toSeconds(),
                        left - 1);
            }
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new FlywayException("interrupted while the schema is upgraded", e);
            }
        }
    }

    private static boolean isLocked(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && LOCK_NOT_AVAILABLE.equals(sql.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private static FluentConfiguration on(PostgresDatabase.Settings settings) {
        return Flyway.configure()
                .callbacks(new ShortLocks())
                .dataSource(
                        settings.listensAt(),
                        settings.user(),
                        settings.password().expose())
                .jdbcProperties(PostgresLines.forMigrations());
    }

    /// Runs a counting query on the SQLite file without writing anything. Returns 0 if it has no schema yet.
    ///
    /// @throws UnfitSchemaException those of [#migrate]
    public static long count(Path sqliteFile, String query) {
        return count(reading(sqliteFile), SqlDialect.SQLITE, query);
    }

    /// Returns what an upgrade of the SQLite file would do. Writes nothing.
    ///
    /// @throws UnfitSchemaException those of [#migrate]
    public static Plan plan(Path sqliteFile) {
        return plan(flyway(reading(sqliteFile), SqlDialect.SQLITE));
    }

    /// Returns what an upgrade of the database on PostgreSQL would do. Writes nothing.
    ///
    /// @throws UnfitSchemaException those of [#migrate]
    public static Plan plan(PostgresDatabase.Settings settings) {
        return plan(flyway(on(settings), SqlDialect.POSTGRES));
    }

    private static Plan plan(Flyway flyway) {
        var found = checked(flyway);
        if (found.equals(MigrationVersion.EMPTY)) {
            try (var connection = flyway.getConfiguration().getDataSource().getConnection()) {
                none(connection);
            } catch (SQLException e) {
                throw new FlywayException(e);
            }
        }
        var pending = Arrays.stream(flyway.info().pending())
                .map(migration -> migration.getVersion() + " (" + migration.getDescription() + ")")
                .toList();
        int known = number(
                highest(flyway.info().all(), migration -> migration.getState().isResolved()));
        return new Plan(number(found), known, OLDEST, pending);
    }

    /// Returns the version of the schema of this program.
    public static String newest() {
        var flyway = flyway(Flyway.configure().dataSource("jdbc:sqlite::memory:", "", ""), SqlDialect.SQLITE);
        return Integer.toString(number(
                highest(flyway.info().all(), migration -> migration.getState().isResolved())));
    }

    private static int number(MigrationVersion version) {
        return version.equals(MigrationVersion.EMPTY) ? 0 : version.getMajor().intValueExact();
    }

    private static FluentConfiguration reading(Path sqliteFile) {
        boolean quiet = !Files.exists(Path.of(sqliteFile + "-wal"));
        String how = quiet ? "?mode=ro&immutable=1" : "?mode=ro";
        String uri = sqliteFile.toAbsolutePath().toUri().toString().replaceFirst("^file:/+", "file:/");
        return Flyway.configure().dataSource("jdbc:sqlite:" + uri + how, "", "");
    }

    /// Runs a counting query on PostgreSQL without writing anything. Returns 0 if it has no schema yet.
    ///
    /// @throws UnfitSchemaException those of [#migrate]
    public static long count(PostgresDatabase.Settings settings, String query) {
        return count(on(settings), SqlDialect.POSTGRES, query);
    }

    private static long count(FluentConfiguration where, SqlDialect dialect, String query) {
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
        return new UnfitSchemaException("the database has tables of another program; " + EMPTY);
    }

    private static Flyway flyway(FluentConfiguration where, SqlDialect dialect) {
        return where.locations("classpath:migration")
                .placeholders(SchemaPlaceholders.of(dialect))
                .load();
    }

    private static void migrate(FluentConfiguration where, SqlDialect dialect) {
        var flyway = flyway(where, dialect);
        checked(flyway);
        try {
            flyway.migrate();
            noteOldest(flyway);
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
            refuseNewer(flyway, found, known);
        }
        for (MigrationInfo migration : all) {
            refuseEdited(migration);
        }
        return found;
    }

    /// Refuses a newer schema unless the program that made it has noted that it serves this one.
    private static void refuseNewer(Flyway flyway, MigrationVersion found, MigrationVersion known) {
        try (var connection = flyway.getConfiguration().getDataSource().getConnection();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(OLDEST_NOTED)) {
            if (!rows.next() || MigrationVersion.fromVersion(rows.getString(1)).compareTo(known) > 0) {
                throw new NewerSchemaException(found, known);
            }
        } catch (SQLException e) {
            throw new FlywayException(e);
        }
        LOG.warn(
                "the database has schema {}, newer than this program's {}; a newer release made it usable for both",
                found,
                known);
    }

    /// Notes for older programs from which schema on they can use the database. Never lowers the number.
    private static void noteOldest(Flyway flyway) {
        try (var connection = flyway.getConfiguration().getDataSource().getConnection();
                var note = connection.prepareStatement(NOTE_OLDEST)) {
            note.setString(1, Integer.toString(OLDEST));
            note.executeUpdate();
        } catch (SQLException e) {
            throw new FlywayException(e);
        }
    }

    private static MigrationVersion highest(MigrationInfo[] all, Predicate<MigrationInfo> which) {
        return Arrays.stream(all)
                .filter(which)
                .map(MigrationInfo::getVersion)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(MigrationVersion.EMPTY);
    }

    /// Refuses the schema of another program, whose migrations may have the same numbers, and that of an old release.
    private static void refuseForeign(MigrationInfo migration) {
        if (!migration.getState().isApplied()) {
            return;
        }
        boolean isOld = FIRST_OF_OLD.equals(migration.getVersion());
        if (isOld && FIRST_NAME_OF_OLD.equals(migration.getDescription())) {
            throw new UnfitSchemaException(
                    "the database was made by Sheaf 0.1 or 0.2, which this program cannot upgrade; make a"
                            + " backup with that release (`sheaf admin backup`), and restore it with this one into an empty"
                            + " database (`sheaf admin restore`)");
        }
        if (isOld || FIRST.equals(migration.getVersion()) && !FIRST_NAME.equals(migration.getDescription())) {
            throw new UnfitSchemaException("the database belongs to another program, which calls its migration "
                    + migration.getVersion() + " " + Quoted.of(migration.getDescription()) + "; " + EMPTY);
        }
    }

    private static void refuseEdited(MigrationInfo migration) {
        if (isBoth(migration) && !migration.isChecksumMatching()) {
            throw new UnfitSchemaException("the database was made by another build of this program: its migration "
                    + migration.getVersion() + " (" + Quoted.of(migration.getDescription())
                    + ") differs from the one in this program; start the program that made the database, or"
                    + " restore a backup into an empty database");
        }
    }

    private static boolean isBoth(MigrationInfo migration) {
        return migration.getState().isApplied() && migration.getState().isResolved();
    }
}
