package dev.sheaf.client;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.ApiResource;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.webhook.Delivery;
import dev.sheaf.model.wire.webhook.Webhook;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The webhooks of one organization. Every call needs the scope `admin`. Thread-safe.
public final class Webhooks {
    private final ApiResource webhooks;

    Webhooks(ApiResource organization) {
        this.webhooks = new ApiResource(organization.transport(), organization.path() + "/webhooks");
    }

    /// The settings of a webhook. Null members take the registry's defaults for a new webhook and stay unchanged
    /// for an existing one. Empty members, and a rate of 0, remove a setting.
    ///
    /// @param headers additional request headers by name; they replace all existing ones
    /// @param rateLimit the limit of requests per second; 0 means no limit
    /// @param eventTypes such as `version.*`; empty means all
    /// @param namespaces the namespaces whose events are sent; empty means all
    /// @param bundles the bundles whose events are sent, with an optional `*` at the end; empty means all
    public record Settings(
            @Nullable String url,
            @Nullable String description,
            @Nullable Map<String, String> headers,
            @Nullable Integer rateLimit,
            @Nullable List<String> eventTypes,
            @Nullable List<String> namespaces,
            @Nullable List<String> bundles,
            @Nullable Boolean enabled) {
        public Settings {
            headers = headers == null ? null : Map.copyOf(new LinkedHashMap<>(headers));
            eventTypes = eventTypes == null ? null : List.copyOf(eventTypes);
            namespaces = namespaces == null ? null : List.copyOf(namespaces);
            bundles = bundles == null ? null : List.copyOf(bundles);
        }

        /// Hides everything that may be secret: the values of headers, and the address.
        @Override
        public String toString() {
            return "Settings[...]";
        }

        private ObjectNode members() {
            var members = WireJson.object();
            text(members, "url", url);
            text(members, "description", description);
            if (headers != null) {
                var values = members.putObject("headers");
                headers.forEach(values::put);
            }
            if (rateLimit != null) {
                members.put("rateLimit", rateLimit == 0 ? null : rateLimit);
            }
            texts(members, "eventTypes", eventTypes);
            texts(members, "namespaces", namespaces);
            texts(members, "bundles", bundles);
            if (enabled != null) {
                members.put("enabled", enabled);
            }
            return members;
        }

        private static void text(ObjectNode members, String name, @Nullable String text) {
            if (text != null) {
                members.put(name, text.isEmpty() ? null : text);
            }
        }

        private static void texts(ObjectNode members, String name, @Nullable List<String> texts) {
            if (texts != null && texts.isEmpty()) {
                members.putNull(name);
            } else if (texts != null) {
                var array = members.putArray(name);
                texts.forEach(array::add);
            }
        }
    }

    /// Creates a webhook, which receives events from then on. The result contains its secret, which is never shown
    /// again. The request is not retried: if the connection breaks, a webhook with an unknown secret may exist;
    /// rotate its secret.
    ///
    /// @param secret an existing secret of the receiver, `whsec_` and base64; null to generate a new secret
    /// @throws SheafException.Conflict if the organization has reached its limit of webhooks
    public Webhook create(Settings settings, @Nullable Secret secret) {
        var members = settings.members();
        if (secret != null) {
            members.put("secret", secret.expose());
        }
        return webhooks.create("", members, Webhook.class);
    }

    /// Returns all webhooks, newest first.
    public List<Webhook> list() {
        return webhooks.list("", Webhook.class);
    }

    /// Returns a webhook, without its secret.
    public Webhook get(UUID id) {
        return webhooks.get("/" + id, Webhook.class);
    }

    /// Changes the settings. Disabling a webhook drops its pending deliveries; once it is enabled again, it
    /// receives events from then on.
    public Webhook edit(UUID id, Settings changes) {
        return webhooks.patch("/" + id, changes.members(), Webhook.class);
    }

    /// Deletes a webhook and the history of its deliveries.
    public void delete(UUID id) {
        webhooks.transport().head(webhooks.call("DELETE", "/" + id).expecting(204));
    }

    /// Creates a new secret, which only this result contains. Until the end of the overlap, deliveries are also
    /// signed with the previous secret. The request is not retried: if the connection breaks, rotate again.
    ///
    /// @param overlap an ISO 8601 duration up to `P30D`; null means one day
    public Webhook rotateSecret(UUID id, @Nullable String overlap) {
        var body = WireJson.object();
        if (overlap != null) {
            body.put("overlap", overlap);
        }
        var call = webhooks.call("POST", "/" + id + ":rotate-secret").sendingJson(body);
        return webhooks.transport().json(call.once(), Webhook.class);
    }

    /// Sends an event of the type `webhook.test`. [#delivery] returns the outcome a moment later.
    ///
    /// @throws SheafException.Conflict if the webhook is disabled
    public Delivery test(UUID id) {
        return accepted("/" + id + ":test", WireJson.object(), Delivery.class);
    }

    /// Sends all events between two points again.
    ///
    /// @param after a time (RFC 3339) or the sequence of an event
    /// @param before a time or a sequence; null means now
    /// @throws SheafException.Conflict if the webhook is disabled
    public Webhook replay(UUID id, String after, @Nullable String before) {
        var body = WireJson.object().put("after", after);
        if (before != null) {
            body.put("before", before);
        }
        return accepted("/" + id + ":replay", body, Webhook.class);
    }

    /// Returns the latest deliveries, newest first, without their attempts.
    ///
    /// @param state `delivered`, `pending` or `failed`; null means any
    /// @param type the type of the events, with an optional `*` at the end; null means any
    public List<Delivery> deliveries(UUID id, @Nullable String state, @Nullable String type, int most) {
        String query = "?" + (state == null ? "" : "state=" + HttpCall.encode(state) + "&")
                + (type == null ? "" : "type=" + HttpCall.encode(type) + "&");
        return webhooks.list("/" + id + "/deliveries" + query.substring(0, query.length() - 1), Delivery.class, most);
    }

    /// Returns a delivery with all its attempts.
    public Delivery delivery(UUID webhook, UUID id) {
        return webhooks.get("/" + webhook + "/deliveries/" + id, Delivery.class);
    }

    /// Sends a delivery again now, whatever its state.
    ///
    /// @throws SheafException.Conflict if the webhook is disabled
    public Delivery redeliver(UUID webhook, UUID id) {
        return accepted("/" + webhook + "/deliveries/" + id + ":redeliver", WireJson.object(), Delivery.class);
    }

    private <T> T accepted(String rest, ObjectNode body, Class<T> type) {
        return webhooks.transport()
                .json(webhooks.call("POST", rest).sendingJson(body).expecting(202), type);
    }
}
