package dev.sheaf.server.identity.token;

import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import java.time.Duration;

/// An access token that was issued.
///
/// @param lifetime the time from the issue to the expiry
public record IssuedToken(Secret token, Duration lifetime, Scope scope) {}
