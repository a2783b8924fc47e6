package dev.sheaf.server.auth;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// Finds the organization that a request path belongs to. Implemented where organizations are, above this package.
public interface PathOwners {
    /// Returns the organization that a request is about, if any. A person who is a member of several acts for this
    /// one.
    ///
    /// @param path the path as it was sent
    Optional<UUID> organization(String path, Map<String, String> parameters);

    /// Returns the caller's organization if the id or handle in the path is its own.
    ///
    /// @throws dev.sheaf.model.ProblemException not-found for any other, whether it exists or not
    UUID own(Caller.Known caller, String idOrHandle);

    /// Refuses a caller who does not administer the installation.
    ///
    /// @throws dev.sheaf.model.ProblemException not-administrator, or scope-missing
    void administrator(Caller.Known caller);

    /// Returns the organization that was created with the installation; its admins administer the installation.
    Optional<UUID> first();

    /// Returns whether a caller administers the installation.
    boolean isAdministrator(Caller.Known caller);
}
