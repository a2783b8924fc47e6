package dev.sheaf.server.webhook.pages;

import dev.sheaf.model.wire.webhook.Webhook;
import dev.sheaf.server.console.work.FilledForm;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The settings of a webhook, as fields of a form.
final class WebhookForm {
    static final String[] FIELDS = {
        "url",
        "description",
        "eventTypes",
        "namespaces",
        "bundles",
        "rateLimit",
        "headers",
        "overlap",
        "after",
        "before"
    };

    private WebhookForm() {}

    static FilledForm of(Webhook webhook) {
        return FilledForm.NOTHING
                .with("url", webhook.url())
                .with("description", webhook.description())
                .with("eventTypes", String.join("\n", webhook.eventTypes()))
                .with("namespaces", String.join("\n", webhook.namespaces()))
                .with("bundles", String.join("\n", webhook.bundles()))
                .with("rateLimit", webhook.rateLimit());
    }

    /// Returns the body for the API. Headers that were not typed again stay, because their values are never
    /// shown.
    static Map<String, @Nullable Object> members(FilledForm form) {
        var members = form.members(form::text, "url", "description");
        members.put("rateLimit", form.number("rateLimit"));
        var types = form.several("eventTypes");
        members.put("eventTypes", types.isEmpty() ? null : types);
        members.put("namespaces", form.several("namespaces"));
        members.put("bundles", form.several("bundles"));
        if (form.has("noHeaders", "true")) {
            members.put("headers", null);
        } else if (form.text("headers") != null) {
            members.put("headers", headers(form.of("headers")));
        }
        return members;
    }

    /// Returns the headers from lines with a name, a colon and a value.
    private static Map<String, String> headers(String lines) {
        var headers = new LinkedHashMap<String, String>();
        lines.lines().filter(line -> !line.isBlank()).forEach(line -> {
            int colon = line.indexOf(':');
            headers.put(
                    (colon < 0 ? line : line.substring(0, colon)).strip(),
                    colon < 0 ? "" : line.substring(colon + 1).strip());
        });
        return headers;
    }
}
