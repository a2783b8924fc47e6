package dev.sheaf.server.webhook;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.net.AllowedTargets;
import dev.sheaf.model.key.Secret;
import org.jspecify.annotations.Nullable;

/// A webhook to create.
///
/// @param secret null to generate one
public record NewWebhook(WebhookSettings settings, @Nullable Secret secret) {
    /// @param reach where webhooks may send requests
    public static NewWebhook parse(RequestFields fields, AllowedTargets reach) {
        var settings = WebhookSettings.parse(fields, reach);
        var secret = fields.has("secret") ? fields.parsed("secret", WebhookSecrets::parse, Secret.of("")) : null;
        return new NewWebhook(settings, secret);
    }
}
