package dev.sheaf.server.db;

import dev.sheaf.model.Problem;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/// Tells failures of the disk under SQLite from defects of ours.
final class SqliteFailures {
    private static final int RETRY_SECONDS = 5;
    private static final int PRIMARY = 0xff; // an extended result code holds its primary one (sqlite.org/rescode.html)

    private SqliteFailures() {}

    /// Storage-full or unavailable where the disk or the lock on it failed; anything else stays as it is.
    static Throwable told(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLiteException sqlite) {
                int code = sqlite.getResultCode().code & PRIMARY;
                if (code == SQLiteErrorCode.SQLITE_FULL.code) {
                    return new Problem.StorageFull().raise();
                }
                if (isOfTheDisk(code)) {
                    return new Problem.Unavailable("the database cannot work now", RETRY_SECONDS).raise();
                }
            }
        }
        return failure;
    }

    private static boolean isOfTheDisk(int code) {
        return code == SQLiteErrorCode.SQLITE_IOERR.code
                || code == SQLiteErrorCode.SQLITE_CANTOPEN.code
                || code == SQLiteErrorCode.SQLITE_BUSY.code
                || code == SQLiteErrorCode.SQLITE_READONLY.code
                || code == SQLiteErrorCode.SQLITE_PROTOCOL.code;
    }
}
