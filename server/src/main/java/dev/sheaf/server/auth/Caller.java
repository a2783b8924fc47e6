package dev.sheaf.server.auth;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.key.Scope;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The caller of a request.
public sealed interface Caller {
    /// A caller without a credential.
    record Anonymous() implements Caller {}

    /// A caller with a valid credential.
    ///
    /// @param organizationId the organization that the caller acts for; for a person the organization that the
    ///     request is about
    /// @param scope the scope of the credential; for a person the scope of the role in the organization
    /// @param grant the limits of the access token
    /// @param endsAt when the credential expires; null if it does not expire
    record Known(
            Credential credential,
            UUID organizationId,
            Scope scope,
            Restrictions restrictions,
            Grant grant,
            @Nullable Instant endsAt)
            implements Caller {
        /// Returns whether this caller acts for the organization that owns `name`, and may use the name.
        public boolean owns(UUID organization, RepositoryName name) {
            return organizationId.equals(organization) && restrictions.permit(name);
        }
    }

    Caller ANONYMOUS = new Anonymous();

    /// Returns the name by which rows record the actor.
    default String actor() {
        return switch (this) {
            case Anonymous ignored -> "anonymous";
            case Known known -> known.credential().actor();
        };
    }
}
