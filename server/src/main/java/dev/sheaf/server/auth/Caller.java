package dev.sheaf.server.auth;

import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Scope;
import java.util.UUID;

/// Who is asking.
public sealed interface Caller {
    /// Nobody in particular: no credential was sent.
    record Anonymous() implements Caller {}

    /// A live API key, or an access token made from it, in which case `grant` narrows what it may do to
    /// repositories.
    record Keyed(UUID keyId, String keyName, UUID organizationId, Scope scope, Restrictions restrictions, Grant grant)
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
            case Keyed key -> "key:" + key.keyId();
        };
    }
}
