package dev.sheaf.client.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.key.Secret;
import java.nio.charset.StandardCharsets;

/// The source of a credential: an API key, or a session, whose access token changes every few minutes.
/// Thread-safe.
@FunctionalInterface
public interface Bearer {
    /// Returns the key or token for the next request. Renews it if necessary.
    ///
    /// @throws SheafException if renewing failed
    Secret token();

    /// Returns a name for the caller, under which answers are cached. The name is stable for a credential, and
    /// different for different credentials. It is not secret. Computing it needs no request.
    default String identity() {
        return Digest.sha256(("sheaf identity " + token().expose()).getBytes(StandardCharsets.UTF_8))
                .hex();
    }

    /// Returns whether [#token] now returns a token other than `refused`, which the registry did not accept.
    ///
    /// @throws SheafException if renewing failed
    default boolean replaces(Secret refused) {
        return false;
    }
}
