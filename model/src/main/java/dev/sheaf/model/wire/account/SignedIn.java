package dev.sheaf.model.wire.account;

import java.util.UUID;

/// The answer to a sign-in and to a refresh (contract 5.3). The refresh token is in a cookie.
///
/// @param expiresIn seconds that the access token is good for
/// @param tokenType `Bearer`
public record SignedIn(String accessToken, long expiresIn, UUID sessionId, String tokenType) {
    /// Hides the token: this record may reach a log.
    @Override
    public String toString() {
        return "SignedIn[" + sessionId + "]";
    }
}
