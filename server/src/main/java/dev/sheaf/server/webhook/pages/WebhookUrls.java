package dev.sheaf.server.webhook.pages;

import dev.sheaf.model.wire.webhook.Webhook;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.console.work.JobFormat;
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

    /// Returns what people call a webhook: what it is for, or else its host.
    public static String name(Webhook webhook) {
        String purpose = JobFormat.brief(webhook.description());
        return purpose.isBlank() ? host(webhook) : purpose;
    }

    /// Describes the events of a webhook.
    public static String types(Webhook webhook) {
        var types = webhook.eventTypes();
        return types.isEmpty() || types.contains("*") ? "all events" : String.join(", ", types);
    }
}
