package dev.sheaf.engine.db;

import dev.sheaf.engine.db.outage.RootCause;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Throttle;
import java.net.ConnectException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.StatementException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// Distinguishes failures of PostgreSQL and of the connection from our own defects, by their SQLSTATE.
final class PostgresFailures {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresFailures.class);
    private static final int RETRY_SECONDS = 5;
    private static final int MOST_SQL = 200; // characters of a statement in the log
    private static final Set<String> COLLISIONS = Set.of("40001", "40P01");
    private static final String LOCKED = "55P03";
    private static final Set<String> TOO_LONG = Set.of("57014", LOCKED);
    private static final String NONE = "none";
    private static final String UNIQUE = "23505";
    private static final String FOREIGN_KEY = "23503";
    private static final String IDLE_IN_TRANSACTION = "25P03";

    private PostgresFailures() {}

    /// Returns whether the transaction was rolled back because it collided with another.
    static boolean isCollision(Throwable e) {
        return COLLISIONS.contains(state(e));
    }

    static boolean isForeignKey(Throwable e) {
        return FOREIGN_KEY.equals(state(e));
    }

    static boolean isUnique(Throwable e) {
        return UNIQUE.equals(state(e));
    }

    /// Returns whether the connection broke or the server ended it (class 08, 57P); uncommitted changes are rolled
    /// back.
    static boolean isLine(Throwable e) {
        String state = state(e);
        return state.startsWith("08") || state.startsWith("57P") || state.equals(IDLE_IN_TRANSACTION);
    }

    /// Returns whether the server is not running or said that it ends; otherwise it may only be slow.
    static boolean isRefusal(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException) {
                return true;
            }
        }
        return state(e).startsWith("57P");
    }

    /// Returns whether the server has no room for another connection (class 53).
    static boolean isFull(Throwable e) {
        return state(e).startsWith("53");
    }

    /// Returns whether the server answered that a limit of its program is reached (class 54), such as the room for
    /// notifications that a process has not read yet.
    static boolean isLimit(Throwable e) {
        return state(e).startsWith("54");
    }

    /// Returns whether a failed start may succeed later: the server does not answer, starts, ends or is full.
    static boolean isPassing(Throwable e) {
        return isLine(e) || isRefusal(e) || isFull(e) || state(e).isEmpty();
    }

    /// Converts failures that callers can retry later: no connection, a broken connection, or a statement that
    /// took too long. Anything else is a defect and returned as it is.
    ///
    /// @param isDown whether the log already says that the database does not answer
    static RuntimeException translated(JdbiException e, boolean isDown) {
        if (TOO_LONG.contains(state(e))) {
            LOG.warn("a statement took too long and was cancelled: {}{}", RootCause.of(e), statement(e));
            LOG.debug("where it took too long", e);
            return new Problem.Unavailable(Throttle.TIME, "the database took too long; try again", RETRY_SECONDS)
                    .raise();
        }
        if (!isDown && isBusy(e)) {
            LOG.warn("a transaction got no connection, because all are in use");
            return new Problem.Unavailable(
                            Throttle.TIME,
                            "all connections to the database are in use (database-connections); try again",
                            RETRY_SECONDS)
                    .raise();
        }
        if (e instanceof ConnectionException || isLine(e) || isFull(e) || state(e).isEmpty()) {
            LOG.atLevel(isDown ? Level.DEBUG : Level.ERROR)
                    .log("a transaction failed, because the database does not answer: {}", RootCause.of(e));
            LOG.debug("where it did not answer", e);
            return unreachable();
        }
        return e;
    }

    /// Returns whether the wait for a connection of the pool ended, although none failed to open.
    private static boolean isBusy(JdbiException e) {
        return e instanceof ConnectionException
                && e.getCause() instanceof SQLTransientConnectionException timeout
                && timeout.getCause() == null;
    }

    /// Logs that a transaction runs again, since its connection broke.
    static void noteRepeat(JdbiException e) {
        LOG.info("a connection to the database broke, so its transaction starts again: {}", RootCause.of(e));
        LOG.debug("where it broke", e);
    }

    static ProblemException unreachable() {
        return new Problem.Unavailable("the database cannot be reached now; try again", RETRY_SECONDS).raise();
    }

    /// Returns whether the failed commit may have happened anyway: the server did not report a rollback.
    static boolean mayHaveHappened(Throwable e) {
        String state = state(e);
        return isLine(e) || state.isEmpty() || state.equals(NONE);
    }

    static AnswerLostException answerLost(JdbiException e) {
        LOG.error(
                "the database's answer to a commit was lost, so it is unknown whether the change was made: {}",
                RootCause.of(e));
        LOG.debug("where the answer was lost", e);
        return new AnswerLostException(new Problem.Unavailable(
                "the database's answer was lost, so it is unknown whether the change was made; check before you"
                        + " try again",
                RETRY_SECONDS));
    }

    /// Returns the text of the statement that failed, without its values; empty if it is not known.
    private static String statement(JdbiException e) {
        String sql = e instanceof StatementException failed && failed.getStatementContext() != null
                ? failed.getStatementContext().getRawSql()
                : null;
        if (sql == null) {
            return "";
        }
        String line = RootCause.line(sql);
        return "; it was " + (line.length() <= MOST_SQL ? line : line.substring(0, MOST_SQL) + "...");
    }

    private static String state(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return sql.getSQLState() == null ? "" : sql.getSQLState();
            }
        }
        return NONE;
    }
}
