package dev.sheaf.model.wire.account;

/// What an authenticator is told, in the answer that made it and never again.
///
/// @param secret in base32, to be typed
/// @param uri the same as `otpauth://`, to be shown as a QR code
public record TotpEnrolment(String secret, String uri) {
    /// Hides the secret: this record may reach a log.
    @Override
    public String toString() {
        return "TotpEnrolment[]";
    }
}
