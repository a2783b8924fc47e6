package dev.sheaf.server.work;

import dev.sheaf.server.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// Pieces of work and the turns that hold them.
final class WorkRows {
    /// How long a process holds a piece without renewing it.
    static final Duration HELD = Duration.ofSeconds(30);

    /// A piece that was taken.
    ///
    /// @param holder the turn that holds it
    /// @param failures how often in a row it has failed
    record Claim(String name, String owner, UUID holder, int failures) {}

    private record Taking(String kind, String name, String owner, UUID holder, Instant until) {}

    private WorkRows() {}

    /// Takes a piece, due or not, unless a living process holds it.
    static Optional<Claim> claim(Tx tx, String kind, String name, String owner, UUID holder) {
        var taking = new Taking(kind, name, owner, holder, tx.now().plus(HELD));
        return tx.find("""
                        INSERT INTO work (kind, name, owner, due_at, holder)
                        VALUES (:kind, :name, :owner, :until, :holder)
                        ON CONFLICT (kind, name) DO UPDATE SET holder = excluded.holder, due_at = excluded.due_at
                        WHERE work.holder IS NULL OR work.due_at <= :now
                        RETURNING name, owner, holder, failures
                        """, Claim.class, taking);
    }

    /// Sets when a new piece is due. A known piece becomes due at `latest` if it was due later.
    static void expect(Tx tx, String kind, String name, String owner, Instant first, Instant latest) {
        record Expected(String kind, String name, String owner, Instant first, Instant latest) {}
        tx.change("""
                        INSERT INTO work (kind, name, owner, due_at) VALUES (:kind, :name, :owner, :first)
                        ON CONFLICT (kind, name) DO UPDATE SET due_at = :latest
                        WHERE work.holder IS NULL AND work.due_at > :latest
                        """, new Expected(kind, name, owner, first, latest));
    }

    /// Returns when the first piece of each kind was or is due.
    static Map<String, Instant> oldest(Tx tx) {
        return tx.map("SELECT kind, min(due_at) FROM work GROUP BY kind", String.class, Instant.class);
    }

    /// Returns the pieces that living processes hold.
    static List<String> held(Tx tx, String kind) {
        return tx.list(
                "SELECT name FROM work WHERE kind = :kind AND holder IS NOT NULL AND due_at > :now",
                String.class,
                "kind",
                kind);
    }

    /// Takes pieces that are due, or whose holder has stopped renewing them. The first piece of each owner
    /// comes first, then the second of each, and so on.
    ///
    /// @param own the turns of this node, which knows their state better than the table; never empty
    static List<Claim> claimDue(Tx tx, String kind, int limit, Collection<UUID> own) {
        var names = tx.list("""
                        SELECT name FROM work WHERE kind = :kind AND due_at <= :now AND name IN (
                            SELECT name FROM (
                                SELECT name, due_at, row_number() OVER (PARTITION BY owner ORDER BY due_at, name) AS turn
                                FROM work
                                WHERE kind = :kind AND due_at <= :now AND (holder IS NULL OR holder NOT IN (<own>))
                                ) AS turns
                            ORDER BY turn, due_at, name LIMIT :limit)
                        """ + tx.dialect().skipLocked(), String.class, "kind", kind, "limit", limit, "own", own);
        record Taken(String kind, String name, UUID holder, Instant until) {}
        var until = tx.now().plus(HELD);
        return names.stream()
                .map(name -> tx.one("""
                        UPDATE work SET holder = :holder, due_at = :until WHERE kind = :kind AND name = :name
                        RETURNING name, owner, holder, failures
                        """, Claim.class, new Taken(kind, name, UUID.randomUUID(), until)))
                .toList();
    }

    /// Returns when to look again: when a piece becomes due or its holder counts as dead.
    ///
    /// @param own the turns of this node; never empty
    static Optional<Instant> next(Tx tx, String kind, Collection<UUID> own) {
        return tx.find(
                "SELECT min(due_at) FROM work WHERE kind = :kind AND (holder IS NULL OR holder NOT IN (<own>))",
                Instant.class,
                "kind",
                kind,
                "own",
                own);
    }

    /// Renews the hold of these turns.
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

    /// Returns the holders that still have their piece; no other process can take it until this transaction has ended.
    /// Everyone who locks several pieces does so in the order of their names, to avoid deadlocks.
    static List<UUID> holding(Tx tx, String kind, Collection<String> names, Collection<UUID> holders) {
        return tx.list(
                "SELECT holder FROM work WHERE kind = :kind AND name IN (<names>) AND holder IN (<holders>)"
                        + " ORDER BY name" + tx.dialect().forUpdate(),
                UUID.class,
                "kind",
                kind,
                "names",
                names,
                "holders",
                holders);
    }

    /// Returns whether the turn holds the piece; no other process can take it until this transaction has ended.
    static boolean holds(Tx tx, String kind, String name, UUID holder) {
        return tx.has(
                "SELECT 1 FROM work WHERE kind = :kind AND name = :name AND holder = :holder"
                        + tx.dialect().forUpdate(),
                "kind",
                kind,
                "name",
                name,
                "holder",
                holder);
    }

    /// Releases a piece until it is due again.
    static void release(Tx tx, String kind, Claim claim, Instant due) {
        tx.change("""
                        UPDATE work SET holder = NULL, due_at = :due, failures = :failures
                        WHERE kind = :kind AND name = :name AND holder = :holder
                        """, claim, "due", due, "kind", kind);
    }

    /// Deletes a finished piece.
    static void remove(Tx tx, String kind, String name, UUID holder) {
        tx.change(
                "DELETE FROM work WHERE kind = :kind AND name = :name AND holder = :holder",
                "kind",
                kind,
                "name",
                name,
                "holder",
                holder);
    }
}
