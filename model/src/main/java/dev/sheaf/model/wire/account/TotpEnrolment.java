package dev.sheaf.model.wire.account;

/// The secret to set up an authenticator. Only the response that creates it contains it.
///
/// @param secret the secret in base32, for typing
/// @param uri the secret as an `otpauth://` URI, for a QR code
public record TotpEnrolment(String secret, String uri) {
    /// Hides the secret, since this record may be logged.
    @Override
    public String toString() {
        return "TotpEnrolment[]";
    }
}
