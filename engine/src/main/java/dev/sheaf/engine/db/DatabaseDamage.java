package dev.sheaf.engine.db;

import dev.sheaf.engine.db.outage.RootCause;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.statement.StatementException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Whether this process has met a page of the database that is damaged or cannot be read. From then on it changes
/// nothing and serves what it can read, until a check of the whole database finds nothing, or the process starts
/// again. Thread-safe.
public final class DatabaseDamage {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseDamage.class);
    private static final long RETRY_SECONDS = 60; // longer than the client waits: commands say it at once
    private static final long SEARCH_SECONDS = 5;
    private static final int MOST_SQL = 200; // characters of a statement in the log
    private static final Set<SQLiteErrorCode> UNREADABLE = Set.of(
            SQLiteErrorCode.SQLITE_IOERR_READ,
            SQLiteErrorCode.SQLITE_IOERR_SHORT_READ,
            SQLiteErrorCode.SQLITE_IOERR_CORRUPTFS,
            SQLiteErrorCode.SQLITE_IOERR_DATA);
    private static final Set<String> POSTGRES = Set.of("XX001", "XX002"); // data_corrupted, index_corrupted

    private volatile @Nullable String fault;

    /// Returns whether a failure is damage of the database's files. That of the search index alone is not, see
    /// [#isOfSearch].
    public static boolean isCauseOf(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLiteException sqlite) {
                int primary =
                        sqlite.getResultCode().code & 0xff; // an extended code contains it (sqlite.org/rescode.html)
                return primary == SQLiteErrorCode.SQLITE_CORRUPT.code && !isOfSearch(sqlite)
                        || primary == SQLiteErrorCode.SQLITE_NOTADB.code
                        || UNREADABLE.contains(sqlite.getResultCode());
            }
            if (cause instanceof SQLException sql) {
                return sql.getSQLState() != null && POSTGRES.contains(sql.getSQLState());
            }
        }
        return false;
    }

    /// Returns whether a failure is damage of a virtual table of SQLite, and the only one is the search index: its
    /// pages can be read, but contradict each other. It can be built again from other tables.
    public static boolean isOfSearch(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLiteException sqlite) {
                return isOfSearch(sqlite);
            }
        }
        return false;
    }

    private static boolean isOfSearch(SQLiteException failure) {
        return failure.getResultCode() == SQLiteErrorCode.SQLITE_CORRUPT_VTAB;
    }

    /// Returns what was found first, in one line; empty if nothing was.
    public Optional<String> fault() {
        return Optional.ofNullable(fault);
    }

    /// Records damage, which is logged if it is the first.
    public void found(String what) {
        synchronized (this) {
            if (fault != null) {
                return;
            }
            fault = what;
        }
        LOG.error(
                "the database is damaged, so this node takes no changes and serves what it can read: {}; see"
                        + " docs/integrity.md#a-damaged-database",
                what);
    }

    /// Records a failure that is damage.
    void met(Throwable failure) {
        found(RootCause.of(failure) + statement(failure));
        LOG.debug("where the database is damaged", failure);
    }

    /// Records that a check of the whole database has found nothing.
    public void repaired() {
        if (fault != null) {
            fault = null;
            LOG.info("a check found no damage in the database, so this node takes changes again");
        }
    }

    /// @throws ProblemException unavailable if the database is damaged
    void check() {
        if (fault != null) {
            throw refusal();
        }
    }

    static ProblemException refusal() {
        return new Problem.Unavailable(
                        "the database of the registry is damaged: what can be read is served, and changes are refused;"
                                + " its operator finds what to do in docs/integrity.md#a-damaged-database",
                        RETRY_SECONDS)
                .raise();
    }

    static ProblemException searchRefusal() {
        return new Problem.Unavailable("the search index is damaged, and is being built again", SEARCH_SECONDS).raise();
    }

    /// Returns the text of the statement that failed, without its values; empty if it is not known.
    private static String statement(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StatementException failed && failed.getStatementContext() != null) {
                String sql = failed.getStatementContext().getRawSql();
                if (sql != null) {
                    String line = RootCause.line(sql);
                    return "; met by " + (line.length() <= MOST_SQL ? line : line.substring(0, MOST_SQL) + "...");
                }
            }
        }
        return "";
    }
}
