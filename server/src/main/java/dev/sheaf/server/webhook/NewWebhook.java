package dev.sheaf.server.webhook;

import dev.sheaf.model.key.Secret;
import dev.sheaf.server.input.Fields;
import dev.sheaf.server.net.Reach;
import org.jspecify.annotations.Nullable;

/// A webhook to create.
///
/// @param secret null to generate one
public record NewWebhook(WebhookSettings settings, @Nullable Secret secret) {
    /// @param reach where webhooks may send requests
    public static NewWebhook parse(Fields fields, Reach reach) {
        var settings = WebhookSettings.parse(fields, reach);
        var secret = fields.has("secret") ? fields.parsed("secret", WebhookSecrets::parse, Secret.of("")) : null;
        return new NewWebhook(settings, secret);
    }
}
