package dev.sheaf.server.webhook.pages;

import dev.sheaf.model.wire.webhook.Webhook;
import dev.sheaf.server.console.PageFormat;
import java.net.URI;

/// Shows addresses of webhooks, whose paths and queries may contain secrets.
public final class WebhookUrls {
    private WebhookUrls() {}

    /// Returns only the host, for titles and lists.
    public static String host(Webhook webhook) {
        try {
            return PageFormat.visible(URI.create(webhook.url()).getHost());
        } catch (IllegalArgumentException e) {
            return "an address";
        }
    }

    /// Describes the events of a webhook.
    public static String types(Webhook webhook) {
        return webhook.eventTypes().isEmpty() ? "all events" : String.join(", ", webhook.eventTypes());
    }
}
