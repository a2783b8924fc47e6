package dev.sheaf.server.auth;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.key.Scope;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Who is asking.
public sealed interface Caller {
    /// Nobody in particular: no credential was sent.
    record Anonymous() implements Caller {}

    /// Somebody with a credential that is good now.
    ///
    /// @param organizationId whom the caller acts for; a person, for the organization that the request is about
    /// @param scope what the credential may, or for a person what the role in that organization comes to
    /// @param grant what an access token leaves of that
    /// @param endsAt when the credential stops to work by itself; null: never
    record Known(
            Credential credential,
            UUID organizationId,
            Scope scope,
            Restrictions restrictions,
            Grant grant,
            @Nullable Instant endsAt)
            implements Caller {
        /// True where this caller acts for the owner of what is called `name`.
        public boolean owns(UUID organization, RepositoryName name) {
            return organizationId.equals(organization) && restrictions.permit(name);
        }
    }

    Caller ANONYMOUS = new Anonymous();

    /// The name under which rows remember who did something.
    default String actor() {
        return switch (this) {
            case Anonymous ignored -> "anonymous";
            case Known known -> known.credential().actor();
        };
    }
}
