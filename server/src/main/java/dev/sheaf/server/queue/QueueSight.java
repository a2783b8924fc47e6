package dev.sheaf.server.queue;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Restrictions;
import dev.sheaf.server.db.Tx;

/// The one rule of which queues a caller sees: those of its organization, and of these a key that is confined to
/// bundles sees the ones whose bundle it may read, one that is confined to queues these.
public final class QueueSight {
    private QueueSight() {}

    public static boolean sees(Caller.Known caller, QueueRow queue) {
        return caller.organizationId().equals(queue.organizationId()) && sees(caller.restrictions(), queue);
    }

    /// Whether a credential with these restrictions sees a queue of its organization.
    public static boolean sees(Restrictions restrictions, QueueRow queue) {
        return restrictions.jobs().permit(queue.slug())
                && (!restrictions.confineBundles() || permitsBundle(restrictions, queue));
    }

    private static boolean permitsBundle(Restrictions restrictions, QueueRow queue) {
        String bundle = queue.bundle();
        return bundle != null && restrictions.permit(Reference.parse(bundle).repository());
    }

    /// True where the caller sees all queues there are.
    public static boolean seesAll(Caller.Known caller) {
        return !caller.restrictions().isPart();
    }

    /// @param place an id or a slug
    /// @throws ProblemException not-found where there is none, or none that the caller sees
    public static QueueRow find(Tx tx, Caller.Known caller, String place) {
        return Slug.id(place)
                .map(id -> QueueRows.find(tx, caller.organizationId(), id))
                .orElseGet(() -> Slug.named(place).flatMap(slug -> QueueRows.find(tx, caller.organizationId(), slug)))
                .filter(queue -> sees(caller, queue))
                .orElseThrow(() -> missing(place));
    }

    /// The same, which is not deleted until the transaction ends, and how many jobs wait.
    public static QueueRows.Kept keep(Tx tx, Caller.Known caller, String place) {
        return Slug.id(place)
                .map(id -> QueueRows.keep(tx, caller.organizationId(), id))
                .orElseGet(() -> Slug.named(place).flatMap(slug -> QueueRows.keep(tx, caller.organizationId(), slug)))
                .filter(kept -> sees(caller, kept.queue()))
                .orElseThrow(() -> missing(place));
    }

    public static ProblemException missing(String place) {
        return new Problem.NotFound("queue " + Quoted.of(place)).raise();
    }
}
