package dev.sheaf.server.auth.secret;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

final class PepperRows {
    record Row(long number, String checkValue, Instant activeFrom) {}

    private PepperRows() {}

    /// Returns the peppers that are not retired, newest first.
    static List<Row> list(Tx tx) {
        return tx.list("""
                        SELECT number, check_value, active_from FROM pepper WHERE retired_at IS NULL ORDER BY number DESC
                        """, Row.class);
    }

    static Optional<Row> newest(Tx tx) {
        return tx.find("SELECT number, check_value, active_from FROM pepper ORDER BY number DESC LIMIT 1", Row.class);
    }

    /// Returns false if another node was faster.
    static boolean insert(Tx tx, long number, String checkValue, Instant activeFrom) {
        tx.changed(new DataChange(DataChange.Kind.SIGNING_KEY, ""));
        return tx.change("""
                                INSERT INTO pepper (number, check_value, created_at, active_from)
                                VALUES (:number, :check, :now, :from)
                                ON CONFLICT (number) DO NOTHING
                                """, "number", number, "check", checkValue, "from", activeFrom) == 1;
    }

    /// Retires all peppers before this number.
    static int retireBefore(Tx tx, long number) {
        tx.changed(new DataChange(DataChange.Kind.SIGNING_KEY, ""));
        return tx.change(
                "UPDATE pepper SET retired_at = :now WHERE number < :number AND retired_at IS NULL", "number", number);
    }
}
