package dev.sheaf.engine.work;

import dev.sheaf.engine.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// Pieces of work and the claims that hold them.
final class WorkRows {
    /// How long a claim lasts without renewal.
    static final Duration HELD = Duration.ofSeconds(30);

    /// A piece that has to be done.
    ///
    /// @param first when it is due if it is new
    /// @param latest when it is due at the latest if it is known
    record Expected(String name, String owner, Instant first, Instant latest) {}

    private record Due(String name, String owner, int failures) {}

    private record Held(String name, UUID holder) {
        static Held by(WorkClaim claim) {
            return new Held(claim.name(), claim.holder());
        }
    }

    private WorkRows() {}

    /// Sets when pieces are due, unless somebody holds them.
    ///
    /// @param pieces sorted by name, as in all statements that lock several, to avoid deadlocks
    static void expect(Tx tx, String kind, List<Expected> pieces) {
        tx.each("""
                INSERT INTO work (kind, name, owner, due_at) VALUES (:kind, :name, :owner, :first)
                ON CONFLICT (kind, name) DO UPDATE SET due_at = :latest
                WHERE work.holder IS NULL AND work.due_at > :latest
                """, pieces, "kind", kind);
    }

    /// Claims pieces that are due, or whose holder has stopped renewing its claim. The first piece of each owner
    /// comes first, then the second of each, and so on; those that this node already works on count.
    ///
    /// @param own the holders of this node, which knows their state better than the table; never empty
    static List<WorkClaim> claimDue(Tx tx, String kind, int limit, Collection<UUID> own) {
        var claims =
                tx.list("""
                        SELECT name, owner, failures FROM work WHERE kind = :kind AND due_at <= :now AND name IN (
                            SELECT name FROM (
                                SELECT name, due_at, holder, row_number() OVER (
                                    PARTITION BY owner
                                    ORDER BY CASE WHEN holder IN (<own>) THEN 0 ELSE 1 END, due_at, name) AS place
                                FROM work
                                WHERE kind = :kind AND (due_at <= :now OR holder IN (<own>))
                                ) AS places
                            WHERE due_at <= :now AND (holder IS NULL OR holder NOT IN (<own>))
                            ORDER BY place, due_at, name LIMIT :limit)
                        """ + tx.dialect().skipLocked(), Due.class, "kind", kind, "limit", limit, "own", own).stream()
                        .map(due -> new WorkClaim(kind, due.name(), due.owner(), due.failures()))
                        .toList();
        tx.each(
                "UPDATE work SET holder = :holder, due_at = :until WHERE kind = :kind AND name = :name",
                claims.stream().map(Held::by).toList(),
                "kind",
                kind,
                "until",
                tx.now().plus(HELD));
        return claims;
    }

    /// Claims one piece, due or not, unless a living node holds it.
    static Optional<WorkClaim> claim(Tx tx, WorkClaim claim) {
        record New(String kind, String name, String owner, UUID holder, Instant until) {}
        boolean done = tx.change(
                        """
                        INSERT INTO work (kind, name, owner, due_at, holder)
                        VALUES (:kind, :name, :owner, :until, :holder)
                        ON CONFLICT (kind, name) DO UPDATE SET holder = excluded.holder, due_at = excluded.due_at
                        WHERE work.holder IS NULL OR work.due_at <= :now
                        """,
                        new New(
                                claim.kind(),
                                claim.name(),
                                claim.owner(),
                                claim.holder(),
                                tx.now().plus(HELD)))
                == 1;
        return done ? Optional.of(claim) : Optional.empty();
    }

    /// Renews claims.
    ///
    /// @return the holders that still have their piece
    static List<UUID> renew(Tx tx, String kind, Collection<UUID> holders) {
        String locked = "SELECT name FROM work WHERE kind = :kind AND holder IN (<holders>) ORDER BY name"
                + tx.dialect().forUpdate();
        return tx.list(
                "UPDATE work SET due_at = :until WHERE kind = :kind AND holder IN (<holders>) AND name IN (" + locked
                        + ") RETURNING holder",
                UUID.class,
                "until",
                tx.now().plus(HELD),
                "kind",
                kind,
                "holders",
                holders);
    }

    /// Returns whether the claim still holds its piece; nobody can take it until this transaction has ended.
    static boolean holds(Tx tx, WorkClaim claim) {
        return tx.has(
                "SELECT 1 FROM work WHERE kind = :kind AND name = :name AND holder = :holder"
                        + tx.dialect().forUpdate(),
                Held.by(claim),
                "kind",
                claim.kind());
    }

    /// Releases a piece until it is due again.
    static void release(Tx tx, WorkClaim claim, int failures, Instant due) {
        tx.change("""
                        UPDATE work SET holder = NULL, due_at = :due, failures = :failures
                        WHERE kind = :kind AND name = :name AND holder = :holder
                        """, Held.by(claim), "kind", claim.kind(), "due", due, "failures", failures);
    }

    /// Deletes a finished piece.
    static void remove(Tx tx, WorkClaim claim) {
        tx.change(
                "DELETE FROM work WHERE kind = :kind AND name = :name AND holder = :holder",
                Held.by(claim),
                "kind",
                claim.kind());
    }

    /// Returns when to look again: when a piece becomes due, or the claim of another node ends.
    ///
    /// @param own the holders of this node; never empty
    static Optional<Instant> next(Tx tx, String kind, Collection<UUID> own) {
        return tx.find(
                "SELECT min(due_at) FROM work WHERE kind = :kind AND (holder IS NULL OR holder NOT IN (<own>))",
                Instant.class,
                "kind",
                kind,
                "own",
                own);
    }

    /// Returns the pieces that living nodes hold.
    static List<String> held(Tx tx, String kind) {
        return tx.list(
                "SELECT name FROM work WHERE kind = :kind AND holder IS NOT NULL AND due_at > :now",
                String.class,
                "kind",
                kind);
    }

    /// Returns when the first piece of each kind was or is due.
    static Map<String, Instant> oldest(Tx tx) {
        return tx.map("SELECT kind, min(due_at) FROM work GROUP BY kind", String.class, Instant.class);
    }
}
