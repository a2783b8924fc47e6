package dev.sheaf.engine.db;

import dev.sheaf.model.Problem;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Distinguishes failures of the disk under SQLite from our own defects.
final class SqliteFailures {
    private static final int RETRY_SECONDS = 5;
    // an extended result code contains its primary one (sqlite.org/rescode.html)
    private static final int PRIMARY = 0xff;

    private SqliteFailures() {}

    /// Returns storage-full or unavailable if the disk or its lock failed; any other failure is returned as it is, also
    /// damage of the file ([DatabaseDamage]).
    static Throwable translated(Throwable failure) {
        if (DatabaseDamage.isCauseOf(failure)) {
            return failure;
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLiteException sqlite) {
                int code = sqlite.getResultCode().code & PRIMARY;
                if (code == SQLiteErrorCode.SQLITE_FULL.code) {
                    return new Problem.StorageFull().raise();
                }
                if (isOfTheDisk(code)) {
                    return new Problem.Unavailable("the database failed; try again", RETRY_SECONDS).raise();
                }
            }
        }
        return failure;
    }

    static boolean isForeignKey(Throwable failure) {
        return failure.getCause() instanceof SQLiteException sqlite
                && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_CONSTRAINT_FOREIGNKEY;
    }

    private static boolean isOfTheDisk(int code) {
        return code == SQLiteErrorCode.SQLITE_IOERR.code
                || code == SQLiteErrorCode.SQLITE_CANTOPEN.code
                || code == SQLiteErrorCode.SQLITE_BUSY.code
                || code == SQLiteErrorCode.SQLITE_READONLY.code
                || code == SQLiteErrorCode.SQLITE_PROTOCOL.code;
    }
}
