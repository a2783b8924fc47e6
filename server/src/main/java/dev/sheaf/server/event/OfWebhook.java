package dev.sheaf.server.event;

import java.util.UUID;

/// An event of a webhook.
public sealed interface OfWebhook extends Event {
    UUID webhookId();

    @Override
    default String subject() {
        return webhookId().toString();
    }

    record WebhookCreated(UUID webhookId, String host) implements OfWebhook {}

    record WebhookUpdated(UUID webhookId, String host) implements OfWebhook {}

    record WebhookDeleted(UUID webhookId, String host) implements OfWebhook {}

    /// The registry has stopped sending to the webhook.
    ///
    /// @param reason `gone` or `failing`
    record WebhookDisabled(UUID webhookId, String host, String reason) implements OfWebhook {}
}
