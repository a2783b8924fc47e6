package dev.sheaf.server.auth;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// What the path of a request is about, and who belongs there. Implemented where organizations are, above this package.
public interface PathOwners {
    /// The organization that a request is about, where there is one: whom a person acts for who is a member of several.
    ///
    /// @param path as it was sent
    Optional<UUID> organization(String path, Map<String, String> parameters);

    /// The caller's organization, under the id or handle that stands in a path.
    ///
    /// @throws dev.sheaf.model.ProblemException not-found for any other, whether it exists or not
    UUID own(Caller.Known caller, String idOrHandle);

    /// Refuses a caller who does not administer the installation.
    ///
    /// @throws dev.sheaf.model.ProblemException not-administrator, or scope-missing
    void administrator(Caller.Known caller);
}
