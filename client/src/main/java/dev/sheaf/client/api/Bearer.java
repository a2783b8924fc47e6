package dev.sheaf.client.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.key.Secret;
import java.nio.charset.StandardCharsets;

/// What shows a registry who asks: an API key, or the access token of a session, which is another one every few
/// minutes. Thread-safe.
@FunctionalInterface
public interface Bearer {
    /// What to send with the next request.
    ///
    /// @throws SheafException where it had to be renewed and that failed
    Secret token();

    /// A word for who asks, under which answers are kept: the same as long as the credential is, and another for
    /// another one. It is no secret, and needs no registry.
    default String identity() {
        return Digest.sha256(("sheaf identity " + token().expose()).getBytes(StandardCharsets.UTF_8))
                .hex();
    }

    /// Whether [#token] gives another one now that the registry has refused this one.
    ///
    /// @throws SheafException where it had to be renewed and that failed
    default boolean replaces(Secret refused) {
        return false;
    }
}
