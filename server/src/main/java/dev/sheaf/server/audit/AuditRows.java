package dev.sheaf.server.audit;

import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.db.Columns;
import dev.sheaf.server.db.Facts;
import dev.sheaf.server.db.Ids;
import dev.sheaf.server.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.statement.SqlStatement;
import org.jspecify.annotations.Nullable;

/// The rows of the audit log: one for every change, in the change's own transaction. The database refuses to alter
/// or delete them; to be sealed is all that happens to them.
public final class AuditRows {
    /// The setting that holds the chain's end: seq, hash and what proves both, separated by colons.
    private static final String HEAD = "audit-head";

    private AuditRows() {}

    /// Remembers a change.
    ///
    /// @param action a dotted word such as `version.publish`
    public static void record(Tx tx, Origin origin, String action, String subject) {
        insert(tx, AuditEntry.change(origin, action, subject, null));
    }

    /// The same with what else is worth knowing.
    public static void record(Tx tx, Origin origin, String action, String subject, String detail) {
        insert(tx, AuditEntry.change(origin, action, subject, detail));
    }

    public static void insert(Tx tx, AuditEntry entry) {
        tx.change(
                """
                        INSERT INTO audit (id, organization_id, actor, actor_name, action, subject, outcome, detail, times,
                                           address, request_id, created_at)
                        VALUES (:id, :organization, :actor, :name, :action, :subject, :outcome, :detail, :times,
                                :address, :request, :now)
                        """,
                "id",
                Ids.next(tx.now()),
                "organization",
                entry.organizationId(),
                "actor",
                entry.actor(),
                "name",
                entry.actorName(),
                "action",
                entry.action(),
                "subject",
                entry.subject(),
                "outcome",
                entry.outcome().toString(),
                "detail",
                entry.detail(),
                "times",
                entry.times(),
                "address",
                entry.address(),
                "request",
                entry.requestId(),
                "now",
                tx.now());
    }

    // --- reading ---

    /// Entries that the filter lets pass, from `edge` on, which is left out: the older ones, the newest first, or
    /// the newer ones, the oldest first.
    static List<AuditRow> list(Tx tx, AuditFilter filter, @Nullable String edge, boolean newestFirst, int limit) {
        String end = edge == null ? (newestFirst ? Ids.END : "") : edge;
        var query = tx.handle()
                .createQuery("SELECT * FROM audit WHERE id " + (newestFirst ? "<" : ">") + " :edge" + filter.sql()
                        + " ORDER BY id " + (newestFirst ? "DESC" : "ASC") + " LIMIT :limit")
                .bind("edge", end)
                .bind("limit", limit);
        bind(query, filter);
        return query.map((row, context) -> row(row)).list();
    }

    private static void bind(SqlStatement<?> query, AuditFilter filter) {
        filter.values().forEach(query::bind);
    }

    private static AuditRow row(ResultSet row) throws SQLException {
        String organization = row.getString("organization_id");
        long seq = row.getLong("seq");
        boolean sealed = !row.wasNull();
        return new AuditRow(
                UUID.fromString(row.getString("id")),
                sealed ? seq : null,
                row.getString("hash"),
                new AuditEntry(
                        organization == null ? null : UUID.fromString(organization),
                        row.getString("actor"),
                        row.getString("actor_name"),
                        row.getString("action"),
                        row.getString("subject"),
                        row.getString("outcome").equals("success")
                                ? AuditEntry.Outcome.SUCCESS
                                : AuditEntry.Outcome.DENIED,
                        row.getString("detail"),
                        row.getLong("times"),
                        row.getString("address"),
                        row.getString("request_id")),
                Columns.instant(row, "created_at"));
    }

    // --- the chain ---

    static boolean hasUnsealed(Tx tx) {
        return tx.find("SELECT id FROM audit WHERE seq IS NULL LIMIT 1", String.class)
                .isPresent();
    }

    /// Those that no place in the chain was given to, the oldest first.
    static List<AuditRow> unsealed(Tx tx, int limit) {
        return tx.list(
                "SELECT * FROM audit WHERE seq IS NULL ORDER BY id LIMIT :limit", AuditRows::row, "limit", limit);
    }

    /// The chain after `seq`, in its order.
    static List<AuditRow> sealed(Tx tx, long seq, int limit) {
        return tx.list(
                "SELECT * FROM audit WHERE seq > :seq ORDER BY seq LIMIT :limit",
                AuditRows::row,
                "seq",
                seq,
                "limit",
                limit);
    }

    static void seal(Tx tx, UUID id, long seq, String hash) {
        tx.change(
                "UPDATE audit SET seq = :seq, hash = :hash WHERE id = :id AND seq IS NULL",
                "seq",
                seq,
                "hash",
                hash,
                "id",
                id);
    }

    /// The chain's end, held until the transaction ends; made where there is none.
    static Optional<String> lockHead(Tx tx) {
        Facts.note(tx, HEAD, "");
        return Facts.lock(tx, HEAD).filter(value -> !value.isEmpty());
    }

    static Optional<String> head(Tx tx) {
        return Facts.find(tx, HEAD).filter(value -> !value.isEmpty());
    }

    static void setHead(Tx tx, String value) {
        Facts.set(tx, HEAD, value);
    }
}
