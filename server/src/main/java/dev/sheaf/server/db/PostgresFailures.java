package dev.sheaf.server.db;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.sql.SQLException;
import java.util.Set;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.JdbiException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells failures of PostgreSQL and of the line to it from defects of ours, by their SQLSTATE.
final class PostgresFailures {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresFailures.class);
    private static final int RETRY_SECONDS = 5;
    private static final Set<String> COLLISIONS = Set.of("40001", "40P01");
    private static final Set<String> TOO_LONG = Set.of("57014", "55P03");
    private static final String NONE = "none";
    private static final String UNIQUE = "23505";
    private static final String IDLE_IN_TRANSACTION = "25P03";

    private PostgresFailures() {}

    /// Of two transactions that stood in each other's way this one was undone.
    static boolean isCollision(Throwable e) {
        return COLLISIONS.contains(state(e));
    }

    static boolean isUnique(Throwable e) {
        return UNIQUE.equals(state(e));
    }

    /// The connection broke, or the server ended it (class 08, 57P): what it had not committed is undone.
    static boolean isLine(Throwable e) {
        String state = state(e);
        return state.startsWith("08") || state.startsWith("57P") || state.equals(IDLE_IN_TRANSACTION);
    }

    /// The server is there and has no room for one more connection (class 53).
    static boolean isFull(Throwable e) {
        return state(e).startsWith("53");
    }

    /// No connection, or one that breaks, means: try again later; so does a statement that was ended for having taken
    /// too long. Anything else is a defect and stays as it is.
    static RuntimeException told(JdbiException e) {
        if (TOO_LONG.contains(state(e))) {
            LOG.warn("a statement was ended, as it took too long", e);
            return new Problem.Unavailable("the database took too long", RETRY_SECONDS).raise();
        }
        if (e instanceof ConnectionException || isLine(e) || isFull(e) || state(e).isEmpty()) {
            LOG.error("the database cannot be reached", e);
            return unreachable();
        }
        return e;
    }

    static ProblemException unreachable() {
        return new Problem.Unavailable("the database cannot be reached now", RETRY_SECONDS).raise();
    }

    /// Whether a commit that failed so may have happened all the same: the server has not said that it was undone.
    static boolean mayHaveHappened(Throwable e) {
        String state = state(e);
        return isLine(e) || state.isEmpty() || state.equals(NONE);
    }

    static AnswerLostException answerLost(JdbiException e) {
        LOG.error("the database's answer to a commit was lost", e);
        return new AnswerLostException(new Problem.Unavailable(
                "the database's answer was lost: the change is made or not; look before you try again", RETRY_SECONDS));
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
