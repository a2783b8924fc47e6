package dev.sheaf.server.console.webhook;

import dev.sheaf.model.wire.webhook.Webhook;
import dev.sheaf.server.console.Show;
import java.net.URI;

/// How addresses of webhooks look, whose paths and queries may hold secrets.
public final class Urls {
    private Urls() {}

    /// The host alone, for titles and lists.
    public static String host(Webhook webhook) {
        try {
            return Show.visible(URI.create(webhook.url()).getHost());
        } catch (IllegalArgumentException e) {
            return "an address";
        }
    }

    /// What a webhook is sent, in words.
    public static String types(Webhook webhook) {
        return webhook.eventTypes().isEmpty() ? "all events" : String.join(", ", webhook.eventTypes());
    }
}
