package dev.sheaf.server.identity;

import dev.sheaf.server.db.Columns;
import dev.sheaf.server.db.Tx;
import java.time.Instant;
import java.util.Optional;

final class AttemptRows {
    private AttemptRows() {}

    record Row(int failures, Instant lastAt, Instant retryAt) {}

    /// What is known of the subject, which nobody else counts until the transaction ends.
    static Optional<Row> lock(Tx tx, String subject) {
        return tx.handle()
                .createQuery("SELECT failures, last_at, retry_at FROM sign_in_attempt WHERE subject = :subject"
                        + tx.dialect().forUpdate())
                .bind("subject", subject)
                .map((row, context) -> new Row(
                        row.getInt("failures"), Columns.instant(row, "last_at"), Columns.instant(row, "retry_at")))
                .findOne();
    }

    /// @return false where there is one already
    static boolean insertFirst(Tx tx, String subject) {
        return tx.handle()
                        .createUpdate("""
                                INSERT INTO sign_in_attempt (subject, failures, last_at, retry_at)
                                VALUES (:subject, 1, :now, :now) ON CONFLICT DO NOTHING
                                """)
                        .bind("subject", subject)
                        .bind("now", tx.now())
                        .execute()
                == 1;
    }

    static void update(Tx tx, String subject, int failures, Instant retryAt) {
        tx.handle()
                .createUpdate("""
                        UPDATE sign_in_attempt SET failures = :failures, last_at = :now, retry_at = :retry
                        WHERE subject = :subject
                        """)
                .bind("failures", failures)
                .bind("now", tx.now())
                .bind("retry", retryAt)
                .bind("subject", subject)
                .execute();
    }

    static void delete(Tx tx, String subject) {
        tx.handle()
                .createUpdate("DELETE FROM sign_in_attempt WHERE subject = :subject")
                .bind("subject", subject)
                .execute();
    }

    static void purge(Tx tx, Instant before) {
        tx.handle()
                .createUpdate("DELETE FROM sign_in_attempt WHERE last_at < :before")
                .bind("before", before)
                .execute();
    }
}
