package dev.sheaf.server.queue.route;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Scope;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.KeyState;
import dev.sheaf.server.event.EventFilter;
import dev.sheaf.server.org.key.ApiKeyRows;
import dev.sheaf.server.org.member.MembershipRows;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.QueueSight;
import java.util.Optional;
import java.util.UUID;

/// The current rights of the author of a route or a schedule.
public record AuthorRights(Scope scope, CredentialRestrictions restrictions) {
    static final String GONE = "author-gone";
    static final String MAY_NOT_ENQUEUE = "author-may-not-enqueue";
    private static final String KEY = "key:";
    private static final String USER = "user:";
    private static final int MOST_ROTATIONS = 100;

    /// Returns the author's current rights. Empty if there are none: the key was revoked or has expired, or the
    /// person is not a member or has a disabled account.
    ///
    /// @param actor the author in the stored form
    static Optional<AuthorRights> find(Tx tx, UUID organization, String actor) {
        if (actor.startsWith(USER)) {
            return MembershipRows.activeRole(tx, organization, UUID.fromString(actor.substring(USER.length())))
                    .map(role -> new AuthorRights(role.scope(), CredentialRestrictions.NONE));
        }
        return actor.startsWith(KEY)
                ? key(tx, organization, UUID.fromString(actor.substring(KEY.length())))
                : Optional.empty();
    }

    /// Returns the rights of the key, or of the key that replaced it by rotation.
    private static Optional<AuthorRights> key(Tx tx, UUID organization, UUID id) {
        var found = ApiKeyRows.find(tx, organization, id);
        for (int i = 0; i < MOST_ROTATIONS && found.isPresent(); i++) {
            var key = found.get();
            if (key.state() == KeyState.ACTIVE || key.state() == KeyState.RETIRING) {
                return Optional.of(new AuthorRights(
                        key.scopes().stream().max(Scope::compareTo).orElse(Scope.READ), key.restrictions()));
            }
            var next = key.wire().replacedBy();
            found = next == null ? Optional.empty() : ApiKeyRows.find(tx, organization, next);
        }
        return Optional.empty();
    }

    /// Refuses authors other than people and keys, because the rights of other callers cannot be checked later.
    ///
    /// @param made the kind of resource that the caller wants to create, such as `routes`
    public static void refuseForeign(Tx tx, ChangeOrigin origin, String made) {
        if (find(tx, origin.organizationId(), origin.actor()).isEmpty()) {
            throw new Problem.Forbidden(
                            made
                                    + " are created by people and API keys; this credential is neither; sign in, or use an API key")
                    .raise();
        }
    }

    /// Returns why an author may no longer add jobs to a queue; empty if it may.
    public static Optional<String> objection(Tx tx, QueueRow queue, String actor) {
        var author = find(tx, queue.organizationId(), actor);
        return author.isEmpty()
                ? Optional.of(GONE)
                : author.get().mayEnqueue(queue) ? Optional.empty() : Optional.of(MAY_NOT_ENQUEUE);
    }

    EventFilter.Reader reader() {
        return new EventFilter.Reader(scope, restrictions);
    }

    /// Returns whether the author may still add jobs to this queue.
    boolean mayEnqueue(QueueRow queue) {
        return scope.includes(Scope.WRITE) && QueueSight.sees(restrictions, queue);
    }
}
