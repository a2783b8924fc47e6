package dev.sheaf.engine.db;

/// The differences between SQLite and PostgreSQL. All other SQL is the same text for both.
public enum SqlDialect {
    SQLITE("", "", "", ""),
    POSTGRES(" FOR NO KEY UPDATE", " FOR KEY SHARE", " FOR UPDATE", " FOR UPDATE SKIP LOCKED");

    private final String forUpdate;
    private final String keyShare;
    private final String forDelete;
    private final String skipLocked;

    SqlDialect(String forUpdate, String keyShare, String forDelete, String skipLocked) {
        this.forUpdate = forUpdate;
        this.keyShare = keyShare;
        this.forDelete = forDelete;
        this.skipLocked = skipLocked;
    }

    /// Returns the end of a SELECT that locks its rows until the transaction ends, except against new foreign keys
    /// to them. Empty on SQLite, which runs one writer at a time.
    public String forUpdate() {
        return forUpdate;
    }

    /// Returns [#forUpdate] for the rows of one table, in a SELECT from several.
    public String forUpdateOf(String table) {
        return forUpdate.isEmpty() ? "" : forUpdate + " OF " + table;
    }

    /// Returns the end of a SELECT whose rows must not be deleted until the transaction ends: the lock that a
    /// foreign key to them would take.
    public String keyShare() {
        return keyShare;
    }

    /// Returns the end of a SELECT whose rows this transaction may delete; it locks against new foreign keys too.
    public String forDelete() {
        return forDelete;
    }

    /// Returns the end of a SELECT that claims rows and skips rows that another transaction has locked.
    public String skipLocked() {
        return skipLocked;
    }
}
