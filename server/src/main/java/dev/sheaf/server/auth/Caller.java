package dev.sheaf.server.auth;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.key.Scope;
import java.time.Instant;
import java.util.List;
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
    /// @param tokens the ids of the access token and of those that were exchanged for it; empty if none was sent
    /// @param endsAt when the credential expires; null if it does not expire
    record Known(
            Credential credential,
            UUID organizationId,
            Scope scope,
            CredentialRestrictions restrictions,
            Grant grant,
            List<String> tokens,
            @Nullable Instant endsAt)
            implements Caller {
        /// Makes a caller who sent no access token.
        public Known(
                Credential credential,
                UUID organizationId,
                Scope scope,
                CredentialRestrictions restrictions,
                Grant grant,
                @Nullable Instant endsAt) {
            this(credential, organizationId, scope, restrictions, grant, List.of(), endsAt);
        }

        public Known {
            tokens = List.copyOf(tokens);
        }

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
