package dev.sheaf.server.audit;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.StoredFacts;
import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.auth.ChangeOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The rows of the audit log: one for every change, in the transaction of the change. The database refuses to
/// alter or delete them, except that sealing sets their number and hash.
public final class AuditRows {
    /// The setting that holds the end of the chain: seq, hash and proof, separated by colons.
    private static final String HEAD = "audit-head";

    /// The setting with the last entry that was removed, in the same form as the end. The database allows
    /// deletes of entries up to it.
    private static final String START = "audit-start";

    private static final String SELECT = "SELECT *, created_at AS at FROM audit WHERE ";

    private AuditRows() {}

    /// Records a change.
    ///
    /// @param action a dotted word such as `version.publish`
    public static void record(Tx tx, ChangeOrigin origin, String action, String subject) {
        insert(tx, AuditEntry.change(origin, action, subject, null));
    }

    /// Records a change with more detail.
    public static void record(Tx tx, ChangeOrigin origin, String action, String subject, String detail) {
        insert(tx, AuditEntry.change(origin, action, subject, detail));
    }

    public static void insert(Tx tx, AuditEntry entry) {
        tx.later("""
                        INSERT INTO audit (id, organization_id, actor, actor_name, action, subject, outcome, detail, times,
                                           address, request_id, created_at)
                        VALUES (:id, :organizationId, :actor, :actorName, :action, :subject, :outcome, :detail, :times,
                                :address, :requestId, :now)
                        """, entry, "id", TimeOrderedIds.next(tx.now()));
        tx.changed(new DataChange(DataChange.Kind.AUDIT, ""));
    }

    // --- reading ---

    /// Returns the entries that pass the filter, starting after `edge`: older ones newest first, or newer ones
    /// oldest first.
    static List<AuditRow> list(Tx tx, AuditFilter filter, @Nullable String edge, boolean newestFirst, int limit) {
        return tx.list(listing(filter, newestFirst), AuditRow.class, values(filter, edge, newestFirst, limit));
    }

    /// The indexes have spans of ten minutes instead of ids, which begin with the time.
    /// PostgreSQL stores each span once, and sorts the entries of one span.
    static String listing(AuditFilter filter, boolean newestFirst) {
        String beyond = newestFirst ? "<" : ">";
        String order = newestFirst ? " DESC" : " ASC";
        return SELECT + "id " + beyond + " :edge" + filter.sql() + " AND " + AuditFilter.SPAN + " " + beyond + "= :span"
                + " ORDER BY " + AuditFilter.SPAN + order + ", id" + order + " LIMIT :limit";
    }

    static Object[] values(AuditFilter filter, @Nullable String edge, boolean newestFirst, int limit) {
        String end = edge == null ? (newestFirst ? TimeOrderedIds.END : "") : edge;
        var values = new ArrayList<>(filter.values());
        long span = AuditFilter.span(TimeOrderedIds.millis(end, newestFirst ? Long.MAX_VALUE : 0));
        values.addAll(List.of("edge", end, "span", span, "limit", limit));
        return values.toArray();
    }

    // --- the chain ---

    static boolean hasUnsealed(Tx tx) {
        return tx.has("SELECT 1 FROM audit WHERE seq IS NULL LIMIT 1");
    }

    /// Returns entries that are not yet in the chain, oldest first.
    static List<AuditRow> unsealed(Tx tx, int limit) {
        return tx.list(SELECT + "seq IS NULL ORDER BY id LIMIT :limit", AuditRow.class, "limit", limit);
    }

    /// Returns the entries of the chain after `seq`, in order.
    static List<AuditRow> sealed(Tx tx, long seq, int limit) {
        return tx.list(SELECT + "seq > :seq ORDER BY seq LIMIT :limit", AuditRow.class, "seq", seq, "limit", limit);
    }

    /// The number and hash that an entry gets.
    record Seal(UUID id, long seq, String hash) {}

    static void seal(Tx tx, List<Seal> seals) {
        tx.each("UPDATE audit SET seq = :seq, hash = :hash WHERE id = :id AND seq IS NULL", seals);
    }

    /// Returns the end of the chain and locks it until the transaction ends. Creates the row if it is missing.
    static Optional<String> lockHead(Tx tx) {
        StoredFacts.note(tx, HEAD, "");
        return StoredFacts.lock(tx, HEAD).filter(value -> !value.isEmpty());
    }

    static Optional<String> head(Tx tx) {
        return StoredFacts.find(tx, HEAD).filter(value -> !value.isEmpty());
    }

    static void setHead(Tx tx, String value) {
        StoredFacts.set(tx, HEAD, value);
    }

    // --- removal ---

    static Optional<String> start(Tx tx) {
        return StoredFacts.find(tx, START);
    }

    /// Deletes the entries up to the number with which the value begins. Returns false if another transaction
    /// changed the start since `old` was read.
    ///
    /// @param old null if there was none
    static boolean remove(Tx tx, @Nullable String old, String value, long last) {
        boolean isOurs = old == null ? StoredFacts.note(tx, START, value) : StoredFacts.replace(tx, START, old, value);
        if (isOurs) {
            tx.change("DELETE FROM audit WHERE seq <= :last", "last", last);
        }
        return isOurs;
    }
}
