package dev.sheaf.server.identity;

import dev.sheaf.engine.db.Tx;
import java.time.Instant;
import java.util.Optional;

final class AttemptRows {
    private AttemptRows() {}

    record Row(int failures, Instant lastAt, Instant retryAt) {}

    /// Returns the attempts of a subject, locked until the transaction ends.
    static Optional<Row> lock(Tx tx, String subject) {
        return tx.find(
                "SELECT failures, last_at, retry_at FROM sign_in_attempt WHERE subject = :subject"
                        + tx.dialect().forUpdate(),
                Row.class,
                "subject",
                subject);
    }

    /// @return false if a row exists already
    static boolean insertFirst(Tx tx, String subject) {
        return tx.change("""
                                INSERT INTO sign_in_attempt (subject, failures, last_at, retry_at)
                                VALUES (:subject, 1, :now, :now) ON CONFLICT DO NOTHING
                                """, "subject", subject) == 1;
    }

    static void update(Tx tx, String subject, int failures, Instant retryAt) {
        tx.change("""
                        UPDATE sign_in_attempt SET failures = :failures, last_at = :now, retry_at = :retry
                        WHERE subject = :subject
                        """, "failures", failures, "retry", retryAt, "subject", subject);
    }

    static void delete(Tx tx, String subject) {
        tx.change("DELETE FROM sign_in_attempt WHERE subject = :subject", "subject", subject);
    }

    static void purge(Tx tx, Instant before) {
        tx.change("DELETE FROM sign_in_attempt WHERE last_at < :before", "before", before);
    }
}
