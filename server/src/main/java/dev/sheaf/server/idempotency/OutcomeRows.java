package dev.sheaf.server.idempotency;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.idempotency.StoredAnswers.Request;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

final class OutcomeRows {
    /// @param outcome null while the request is being carried out
    record Row(String fingerprint, @Nullable StoredAnswer outcome) {}

    private OutcomeRows() {}

    /// Returns true if the caller must carry out the request: its key is new, was last used before `oldest`, or
    /// the request that used it began before `abandoned` and never ended.
    static boolean begin(Tx tx, Request request, Instant oldest, Instant abandoned) {
        return tx.change("""
                                INSERT INTO idempotent_request (principal, request_key, fingerprint, begun_at)
                                VALUES (:principal, :key, :fingerprint, :now)
                                ON CONFLICT (principal, request_key) DO UPDATE
                                SET fingerprint = excluded.fingerprint, begun_at = excluded.begun_at,
                                    status = NULL, location = NULL, body = NULL, reference = NULL
                                WHERE idempotent_request.begun_at < :oldest
                                   OR (idempotent_request.status IS NULL AND idempotent_request.begun_at < :abandoned)
                                """, request, "oldest", oldest, "abandoned", abandoned) == 1;
    }

    static Optional<Row> find(Tx tx, Request request) {
        return tx.find("""
                        SELECT fingerprint, status, location, body, reference FROM idempotent_request
                        WHERE principal = :principal AND request_key = :key
                        """, OutcomeRows::read, request);
    }

    private static Row read(ResultSet row) throws SQLException {
        int status = row.getInt("status");
        var outcome = row.wasNull()
                ? null
                : new StoredAnswer(status, row.getString("location"), row.getBytes("body"), row.getString("reference"));
        return new Row(row.getString("fingerprint"), outcome);
    }

    static void end(Tx tx, Request request, StoredAnswer outcome) {
        tx.change("""
                        UPDATE idempotent_request
                        SET status = :status, location = :location, body = :body, reference = :reference
                        WHERE principal = :principal AND request_key = :key AND fingerprint = :fingerprint
                        """, request, outcome);
    }

    static void forget(Tx tx, Request request) {
        tx.change("""
                        DELETE FROM idempotent_request
                        WHERE principal = :principal AND request_key = :key AND status IS NULL
                        """, request);
    }

    static void purge(Tx tx, Instant oldest) {
        tx.change("DELETE FROM idempotent_request WHERE begun_at < :oldest", "oldest", oldest);
    }

    /// Deletes the oldest entries of each principal that has more than `limit`.
    static void trim(Tx tx, int limit) {
        var crowded = tx.list("""
                        SELECT principal FROM idempotent_request GROUP BY principal HAVING count(*) > :limit
                        """, String.class, "limit", limit);
        for (String principal : crowded) {
            tx.change("""
                            DELETE FROM idempotent_request WHERE principal = :principal AND begun_at <=
                                (SELECT begun_at FROM idempotent_request WHERE principal = :principal
                                 ORDER BY begun_at DESC LIMIT 1 OFFSET :limit)
                            """, "principal", principal, "limit", limit);
        }
    }
}
