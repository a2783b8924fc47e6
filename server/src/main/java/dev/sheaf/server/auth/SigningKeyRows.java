package dev.sheaf.server.auth;

import dev.sheaf.engine.db.TimeOrderedIds;
import dev.sheaf.engine.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

final class SigningKeyRows {
    /// @param kid the key's id; the key is derived from the master secret and this id
    /// @param retireAt the time at which it stops verifying; null while it has no successor
    record Row(
            long number,
            String kid,
            Instant activeFrom,
            @Nullable Instant retireAt) {}

    private SigningKeyRows() {}

    /// Returns the keys, oldest first.
    static List<Row> list(Tx tx) {
        return tx.list("SELECT number, kid, active_from, retire_at FROM signing_key ORDER BY number", Row.class);
    }

    static Optional<Row> newest(Tx tx) {
        return tx.find("""
                        SELECT number, kid, active_from, retire_at FROM signing_key
                        ORDER BY number DESC LIMIT 1
                        """, Row.class);
    }

    /// Inserts the key with this number. Returns false if another node was faster.
    static boolean insert(Tx tx, long number, Instant activeFrom) {
        return tx.change("""
                                INSERT INTO signing_key (number, kid, created_at, active_from)
                                VALUES (:number, :kid, :now, :from)
                                ON CONFLICT (number) DO NOTHING
                                """, "number", number, "kid", TimeOrderedIds.next(tx.now()), "from", activeFrom) == 1;
    }

    /// Sets the end of every older key to `end`, unless it ends earlier already.
    static void retire(Tx tx, long number, Instant end) {
        tx.change("""
                        UPDATE signing_key SET retire_at = :end
                        WHERE number < :number AND (retire_at IS NULL OR retire_at > :end)
                        """, "end", end, "number", number);
    }
}
