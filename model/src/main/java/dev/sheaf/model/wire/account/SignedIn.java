package dev.sheaf.model.wire.account;

import java.util.UUID;

/// The response to a sign-in and to a refresh (contract 5.3). The refresh token is in a cookie.
///
/// @param expiresIn the lifetime of the access token in seconds
/// @param tokenType `Bearer`
public record SignedIn(String accessToken, long expiresIn, UUID sessionId, String tokenType) {
    /// Hides the token, since this record may be logged.
    @Override
    public String toString() {
        return "SignedIn[" + sessionId + "]";
    }
}
