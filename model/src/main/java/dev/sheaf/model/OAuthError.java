package dev.sheaf.model;

import java.util.Locale;

/// Why no access token was given, in the words of OAuth (RFC 6749, section 5.2; RFC 7009, section 2.2.1; RFC 8628,
/// section 3.5; RFC 8693, section 2.2.2).
public enum OAuthError {
    INVALID_REQUEST,
    INVALID_GRANT,
    INVALID_SCOPE,
    INVALID_TARGET,
    UNSUPPORTED_GRANT_TYPE,
    UNSUPPORTED_TOKEN_TYPE,
    AUTHORIZATION_PENDING,
    SLOW_DOWN,
    ACCESS_DENIED,
    EXPIRED_TOKEN;

    /// A problem with this word.
    public ProblemException refuse(String detail) {
        return new Problem.TokenRefused(this, detail).raise();
    }

    /// The word on the wire.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
