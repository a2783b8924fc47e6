package dev.sheaf.server.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.postgresql.util.PSQLState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Runs the migrations that only replace indexes on PostgreSQL, while nodes of the release before read and write. It
/// runs each statement of the script by itself, outside of a transaction and `CONCURRENTLY`, unless its work is done
/// already. Flyway only records the migration. So a node that dies or fails records nothing, and the next start
/// continues where it was.
///
/// A script has `CREATE INDEX`, `DROP INDEX`, and `ALTER TABLE` with `DROP CONSTRAINT` or `VALIDATE CONSTRAINT`. An
/// index never gets the name of one that the script drops. Statements between `BEGIN` and `COMMIT` are done if the
/// constraint is gone that the first one drops. On SQLite, Flyway runs the script in one transaction.
final class IndexMigration {
    private static final Logger LOG = LoggerFactory.getLogger(IndexMigration.class);
    private static final List<Integer> VERSIONS = List.of(20, 21, 22);

    private static final Pattern COMMENT = Pattern.compile("(?m)^--.*$");
    private static final Pattern STATEMENT = Pattern.compile("(?s)\\s*(BEGIN;.+?COMMIT|[^;]+);");
    private static final Pattern CREATE = Pattern.compile("CREATE ((?:UNIQUE )?INDEX) (\\w+) (ON .+)");
    private static final Pattern DROP = Pattern.compile("DROP INDEX (\\w+)");
    private static final Pattern DROP_CONSTRAINT =
            Pattern.compile("(?:BEGIN; )?ALTER TABLE (\\w+) DROP CONSTRAINT (\\w+)(?: CASCADE, .+)?");
    private static final Pattern VALIDATE = Pattern.compile("ALTER TABLE (\\w+) VALIDATE CONSTRAINT (\\w+)");

    private static final String TRY_TURN = "SELECT pg_try_advisory_xact_lock(8316866959935661176)"; // any number
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration LONG_PAUSE = Duration.ofSeconds(3);
    /// How long requests may queue behind a lock on the whole table: less than their own limit, and longer than
    /// `deadlock_timeout`, after which PostgreSQL cancels an automatic vacuum that is in the way.
    private static final String BRIEFLY = "SET lock_timeout = '1500ms'";

    /// A constraint may be gone because PostgreSQL still ran the last statement of a node that was killed.
    private static final Set<String> PASSING = Set.of(
            PSQLState.DEADLOCK_DETECTED.getState(),
            PSQLState.UNDEFINED_OBJECT.getState(),
            "55P03"); // lock_not_available

    /// The view shows a build of a connection whose node has died, too: PostgreSQL notices only after the build.
    private static final String STATE = """
            SELECT CASE WHEN i.indisvalid THEN 'VALID' WHEN p.pid IS NULL THEN 'INVALID' ELSE 'UNDER_WAY' END
            FROM pg_index i
            LEFT JOIN pg_stat_progress_create_index p
                ON p.index_relid = i.indexrelid AND p.datname = current_database()
            WHERE i.indexrelid = to_regclass('%s')""";

    private static final String CONSTRAINT =
            "SELECT conname FROM pg_constraint WHERE conrelid = to_regclass('%s') AND conname = '%s' AND %s";

    private final Connection line;
    private final Level level;
    private String logged = "";

    private IndexMigration(Connection line, Level level) {
        this.line = line;
        this.level = level;
    }

    private enum State {
        MISSING,
        INVALID,
        UNDER_WAY,
        VALID
    }

    private sealed interface Step {
        record Create(String what, String name, String on) implements Step {}

        record Drop(String name) implements Step {}

        record DropConstraint(String table, String name, String sql) implements Step {}

        record Validate(String table, String name) implements Step {}
    }

    /// Runs the migrations up to the last one that replaces indexes. Nodes that start at the same time do it one
    /// after the other.
    static void run(PostgresDatabase.Settings settings, Supplier<FluentConfiguration> flyway) {
        // in a new database nothing waits and nobody waits
        var level = flyway.get().load().info().applied().length == 0 ? Level.DEBUG : Level.INFO;
        for (int version : VERSIONS) {
            var recorded = flyway.get()
                    .target(Integer.toString(version))
                    .skipExecutingMigrations(true)
                    .load();
            if (pending(recorded, version).isPresent()) {
                flyway.get().target(Integer.toString(version - 1)).load().migrate();
                run(settings, recorded, version, level);
            }
        }
    }

    private static void run(PostgresDatabase.Settings settings, Flyway recorded, int version, Level level) {
        try (var turn = PostgresLines.unlimited(settings);
                var line = PostgresLines.unlimited(settings)) {
            awaitTurn(turn);
            var pending = pending(recorded, version);
            if (pending.isPresent()) {
                var migration = new IndexMigration(line, level);
                for (Step step : steps(script(pending.get().getScript()))) {
                    migration.run(step);
                }
                recorded.migrate();
            }
            turn.rollback();
        } catch (SQLException e) {
            throw new FlywayException("migration " + version + " stopped: " + e.getMessage(), e);
        }
    }

    private static Optional<MigrationInfo> pending(Flyway flyway, int version) {
        return Arrays.stream(flyway.info().pending())
                .filter(migration ->
                        MigrationVersion.fromVersion(Integer.toString(version)).equals(migration.getVersion()))
                .findFirst();
    }

    /// Waits until no other node does the same. The transaction keeps the lock until the connection ends, also
    /// behind a pooler. It has no snapshot between statements, or the builds would wait for it.
    private static void awaitTurn(Connection turn) throws SQLException {
        turn.setAutoCommit(false);
        boolean waits = false;
        while (!ask(turn, TRY_TURN).equals(Optional.of("t"))) {
            turn.rollback();
            if (!waits) {
                LOG.info("another node replaces indexes; this one starts after it");
                waits = true;
            }
            pause(PAUSE);
        }
    }

    private static List<Step> steps(String script) {
        return STATEMENT
                .matcher(COMMENT.matcher(script).replaceAll(""))
                .results()
                .map(found -> found.group(1).strip().replaceAll("\\s+", " "))
                .map(IndexMigration::step)
                .toList();
    }

    private static Step step(String statement) {
        var create = CREATE.matcher(statement);
        if (create.matches()) {
            return new Step.Create(create.group(1), create.group(2), create.group(3));
        }
        var drop = DROP.matcher(statement);
        if (drop.matches()) {
            return new Step.Drop(drop.group(1));
        }
        var constraint = DROP_CONSTRAINT.matcher(statement);
        if (constraint.matches()) {
            return new Step.DropConstraint(constraint.group(1), constraint.group(2), statement);
        }
        var validate = VALIDATE.matcher(statement);
        if (validate.matches()) {
            return new Step.Validate(validate.group(1), validate.group(2));
        }
        throw new IllegalStateException("a migration of indexes has another statement: " + statement);
    }

    private static String script(String name) {
        try (var in = Objects.requireNonNull(IndexMigration.class.getResourceAsStream("/db/" + name), name)) {
            String script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            for (var placeholder : Dialect.POSTGRES.placeholders().entrySet()) {
                script = script.replace("${" + placeholder.getKey() + "}", placeholder.getValue());
            }
            return script;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run(Step step) throws SQLException {
        switch (step) {
            case Step.Create create -> create(create);
            case Step.Drop drop -> {
                while (state(drop.name()) != State.MISSING) {
                    attempt("DROP INDEX CONCURRENTLY IF EXISTS " + drop.name());
                }
            }
            case Step.DropConstraint constraint -> drop(constraint);
            case Step.Validate validate -> {
                while (has(validate.table(), validate.name(), "NOT convalidated")) {
                    attempt("ALTER TABLE " + validate.table() + " VALIDATE CONSTRAINT " + validate.name());
                }
            }
        }
    }

    private void create(Step.Create index) throws SQLException {
        while (true) {
            switch (state(index.name())) {
                case VALID -> {
                    return;
                }
                case UNDER_WAY -> pause(PAUSE);
                case INVALID -> attempt("DROP INDEX CONCURRENTLY IF EXISTS " + index.name());
                case MISSING ->
                    attempt("CREATE " + index.what() + " CONCURRENTLY IF NOT EXISTS " + index.name() + " "
                            + index.on());
            }
        }
    }

    /// Drops a constraint. That needs the whole table for a moment, and everyone else queues behind a wait for it. So
    /// the waits are short, with pauses between them.
    private void drop(Step.DropConstraint constraint) throws SQLException {
        execute(BRIEFLY);
        while (has(constraint.table(), constraint.name(), "true")) {
            attempt(constraint.sql());
        }
        execute("SET lock_timeout = 0");
    }

    private boolean has(String table, String constraint, String which) throws SQLException {
        return ask(line, CONSTRAINT.formatted(table, constraint, which)).isPresent();
    }

    private State state(String index) throws SQLException {
        return ask(line, STATE.formatted(index)).map(State::valueOf).orElse(State.MISSING);
    }

    /// Runs a statement. It may fail for a reason that passes; the caller looks and tries again.
    private void attempt(String sql) throws SQLException {
        if (!logged.equals(sql)) {
            LOG.atLevel(level).log("{}; PostgreSQL waits for transactions that use the table", sql);
            logged = sql;
        }
        try {
            execute(sql);
        } catch (SQLException e) {
            if (!PASSING.contains(e.getSQLState())) {
                throw e;
            }
            LOG.debug("it will be tried again", e);
            execute("ROLLBACK"); // of statements between BEGIN and COMMIT
            pause(LONG_PAUSE);
        }
    }

    private void execute(String sql) throws SQLException {
        try (var statement = line.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Optional<String> ask(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            return rows.next() ? Optional.of(rows.getString(1)) : Optional.empty();
        }
    }

    private static void pause(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }
}
