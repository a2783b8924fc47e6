package dev.sheaf.server.webhook;

import dev.sheaf.server.auth.CredentialRestrictions;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A webhook as stored, and its progress.
///
/// @param headers sealed
/// @param restrictions in the form of [CredentialRestrictions#encode]
/// @param disabled null if it is enabled
/// @param secret sealed
/// @param oldSecret sealed; also signs, until `oldUntil`
record WebhookRow(
        UUID id,
        UUID organizationId,
        String url,
        @Nullable String description,
        @Nullable String headers,
        @Nullable Integer rate,
        EventTypes types,
        @Nullable String restrictions,
        @Nullable DisabledReason disabled,
        @Nullable Instant disabledAt,
        String secret,
        @Nullable String oldSecret,
        @Nullable Instant oldUntil,
        Instant createdAt,
        String createdBy,
        Instant updatedAt,
        WebhookProgress progress) {
    boolean isEnabled() {
        return disabled == null;
    }

    WebhookRow with(WebhookProgress now) {
        return new WebhookRow(
                id,
                organizationId,
                url,
                description,
                headers,
                rate,
                types,
                restrictions,
                disabled,
                disabledAt,
                secret,
                oldSecret,
                oldUntil,
                createdAt,
                createdBy,
                updatedAt,
                now);
    }

    WebhookSettings settings(WebhookSecrets secrets) {
        return new WebhookSettings(
                url,
                description,
                headers == null ? OwnHeaders.NONE : secrets.headers(id, headers),
                rate,
                types,
                CredentialRestrictions.decode(restrictions),
                isEnabled());
    }

    /// Hides the address, because it may contain a secret and this record may be logged.
    @Override
    public String toString() {
        return "WebhookRow[" + id + "]";
    }
}
