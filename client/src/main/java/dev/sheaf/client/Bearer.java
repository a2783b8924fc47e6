package dev.sheaf.client;

import dev.sheaf.model.Secret;

/// What shows a registry who asks: an API key, or the access token of a session, which is another one every few
/// minutes. Thread-safe.
@FunctionalInterface
public interface Bearer {
    /// What to send with the next request.
    ///
    /// @throws SheafException where it had to be renewed and that failed
    Secret token();

    /// Whether [#token] gives another one now that the registry has refused this one.
    ///
    /// @throws SheafException where it had to be renewed and that failed
    default boolean replaces(Secret refused) {
        return false;
    }
}
