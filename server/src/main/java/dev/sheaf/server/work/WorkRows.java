package dev.sheaf.server.work;

import dev.sheaf.server.db.Tx;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// What is to be done, and who does it.
final class WorkRows {
    /// How long a process holds what it does not say that it still does.
    static final Duration HELD = Duration.ofSeconds(30);

    /// What was taken.
    ///
    /// @param holder by which turn
    /// @param failures how often in a row it was cut short by an error before
    record Claim(String name, String owner, UUID holder, int failures) {}

    private record Taking(String kind, String name, String owner, UUID holder, Instant until) {}

    private WorkRows() {}

    /// Takes it, whether it is due or not, unless a living process holds it.
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

    /// Says when it is due first, and by when at the latest where that is known already.
    static void expect(Tx tx, String kind, String name, String owner, Instant first, Instant latest) {
        record Expected(String kind, String name, String owner, Instant first, Instant latest) {}
        tx.change("""
                        INSERT INTO work (kind, name, owner, due_at) VALUES (:kind, :name, :owner, :first)
                        ON CONFLICT (kind, name) DO UPDATE SET due_at = :latest
                        WHERE work.holder IS NULL AND work.due_at > :latest
                        """, new Expected(kind, name, owner, first, latest));
    }

    /// What a living process holds.
    static List<String> held(Tx tx, String kind) {
        return tx.list(
                "SELECT name FROM work WHERE kind = :kind AND holder IS NOT NULL AND due_at > :now",
                String.class,
                "kind",
                kind);
    }

    /// Takes what is due, or was held by a process that says nothing any more: of each owner the first, then of
    /// each the second, and so on.
    ///
    /// @param own who of this node does something: what they hold they know best. Never empty
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

    /// When somebody is to look again: something will be due then, or its holder count as dead.
    ///
    /// @param own who of this node does something. Never empty
    static Optional<Instant> next(Tx tx, String kind, Collection<UUID> own) {
        return tx.find(
                "SELECT min(due_at) FROM work WHERE kind = :kind AND (holder IS NULL OR holder NOT IN (<own>))",
                Instant.class,
                "kind",
                kind,
                "own",
                own);
    }

    /// Says that these still do what they hold.
    ///
    /// @return which of them still hold it
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

    /// Which of these hold something; nobody else takes it before this transaction has ended. All who lock several do
    /// so in the order of their names, or two could wait for each other.
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

    /// Whether it is held by that turn; nobody else takes it before this transaction has ended.
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

    /// It is done for now, and to be done again at that time.
    static void release(Tx tx, String kind, Claim claim, Instant due) {
        tx.change("""
                        UPDATE work SET holder = NULL, due_at = :due, failures = :failures
                        WHERE kind = :kind AND name = :name AND holder = :holder
                        """, claim, "due", due, "kind", kind);
    }

    /// It is done.
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
