package dev.sheaf.server.queue;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.CredentialRestrictions;

/// Decides which queues of its organization a caller sees. A key restricted to bundles sees only queues whose
/// bundle it may read. A key restricted to queues sees only these queues.
public final class QueueSight {
    private QueueSight() {}

    public static boolean sees(Caller.Known caller, QueueRow queue) {
        return caller.organizationId().equals(queue.organizationId()) && sees(caller.restrictions(), queue);
    }

    /// Returns whether a credential with these restrictions sees a queue of its organization.
    public static boolean sees(CredentialRestrictions restrictions, QueueRow queue) {
        return restrictions.jobs().permit(queue.slug())
                && (!restrictions.confineBundles() || permitsBundle(restrictions, queue));
    }

    private static boolean permitsBundle(CredentialRestrictions restrictions, QueueRow queue) {
        String bundle = queue.bundle();
        return bundle != null && restrictions.permit(Reference.parse(bundle).repository());
    }

    /// Returns whether the caller sees all queues of its organization.
    public static boolean seesAll(Caller.Known caller) {
        return !caller.restrictions().isPart();
    }

    /// @param place an id or a slug
    /// @throws ProblemException not-found if the queue does not exist, or the caller does not see it
    public static QueueRow find(Tx tx, Caller.Known caller, String place) {
        return QueueSlug.id(place)
                .map(id -> QueueRows.find(tx, caller.organizationId(), id))
                .orElseGet(
                        () -> QueueSlug.named(place).flatMap(slug -> QueueRows.find(tx, caller.organizationId(), slug)))
                .filter(queue -> sees(caller, queue))
                .orElseThrow(() -> missing(place));
    }

    /// Returns the queue with the numbers of waiting jobs, and prevents its deletion until the transaction
    /// ends.
    public static QueueRows.Kept keep(Tx tx, Caller.Known caller, String place) {
        return QueueSlug.id(place)
                .map(id -> QueueRows.keep(tx, caller.organizationId(), id))
                .orElseGet(
                        () -> QueueSlug.named(place).flatMap(slug -> QueueRows.keep(tx, caller.organizationId(), slug)))
                .filter(kept -> sees(caller, kept.queue()))
                .orElseThrow(() -> missing(place));
    }

    public static ProblemException missing(String place) {
        return new Problem.NotFound("queue " + Quoted.of(place)).raise();
    }
}
