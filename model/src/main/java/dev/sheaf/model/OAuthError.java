package dev.sheaf.model;

import java.util.Locale;

/// The OAuth error codes for a refused access token (RFC 6749, section 5.2; RFC 7009, section 2.2.1; RFC 8628,
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

    /// Returns an exception with this error code.
    public ProblemException refuse(String detail) {
        return new Problem.TokenRefused(this, detail).raise();
    }

    /// Returns the error code on the wire.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
