package dev.sheaf.server.identity.token;

import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import java.time.Duration;

/// An access token that was given out.
///
/// @param lifetime from now on
public record IssuedToken(Secret token, Duration lifetime, Scope scope) {}
