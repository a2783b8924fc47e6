package dev.sheaf.client;

import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.http.Call;
import dev.sheaf.client.http.Resource;
import dev.sheaf.client.io.Json;
import dev.sheaf.model.key.Secret;
import dev.sheaf.model.wire.webhook.Delivery;
import dev.sheaf.model.wire.webhook.Webhook;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Where one organization has its events sent; every call needs the scope `admin`. Thread-safe.
public final class Webhooks {
    private final Resource webhooks;

    Webhooks(Resource organization) {
        this.webhooks = new Resource(organization.transport(), organization.path() + "/webhooks");
    }

    /// What is said of a webhook. What is null is not said: a new one has the registry's defaults then, and one
    /// that is there stays as it is. What is empty, and a rate of 0, is unset.
    ///
    /// @param headers the receiver's own, by their names; replaces all that there were
    /// @param rateLimit most requests a second; 0: any number
    /// @param eventTypes such as `version.*`; empty: all
    /// @param namespaces events of their bundles alone; empty: of all
    /// @param bundles events of these alone, one trailing `*` allowed; empty: of all
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

        /// Hides all that may be secret: the values of headers, and the address.
        @Override
        public String toString() {
            return "Settings[...]";
        }

        private ObjectNode members() {
            var members = Json.object();
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

    /// Makes one, which is sent what happens from then on. The answer holds its secret, which is never shown
    /// again. Not sent twice: where the connection breaks, one may exist whose secret nobody knows; rotate it.
    ///
    /// @param secret one that the receiver has already, `whsec_` and base64; null: a new one is made
    /// @throws SheafException.Conflict where the organization has as many as it may have
    public Webhook create(Settings settings, @Nullable Secret secret) {
        var members = settings.members();
        if (secret != null) {
            members.put("secret", secret.expose());
        }
        return webhooks.create("", members, Webhook.class);
    }

    /// All of them, the newest first.
    public List<Webhook> list() {
        return webhooks.list("", Webhook.class);
    }

    public Webhook get(UUID id) {
        return webhooks.get("/" + id, Webhook.class);
    }

    /// Changes what is said of it. What failed before is tried no more once it is disabled; when it is enabled
    /// again, it is sent what happens from then on.
    public Webhook edit(UUID id, Settings changes) {
        return webhooks.patch("/" + id, changes.members(), Webhook.class);
    }

    /// Deletes it with all that is known of its deliveries.
    public void delete(UUID id) {
        webhooks.transport().head(webhooks.call("DELETE", "/" + id).expecting(204));
    }

    /// Gives it a new secret, which is in the answer and never shown again; the present one signs, too, until
    /// the overlap is over. Not sent twice: where the connection breaks, rotate once more.
    ///
    /// @param overlap an ISO 8601 duration up to `P30D`; null: a day
    public Webhook rotateSecret(UUID id, @Nullable String overlap) {
        var body = Json.object();
        if (overlap != null) {
            body.put("overlap", overlap);
        }
        var call = webhooks.call("POST", "/" + id + ":rotate-secret").sendingJson(body);
        return webhooks.transport().json(call.once(), Webhook.class);
    }

    /// Has an event of the type `webhook.test` sent. What came of it, [#delivery] tells a moment later.
    ///
    /// @throws SheafException.Conflict where the webhook is disabled
    public Delivery test(UUID id) {
        return accepted("/" + id + ":test", Json.object(), Delivery.class);
    }

    /// Has all that happened between two places sent once more.
    ///
    /// @param after a time (RFC 3339) or the sequence of an event
    /// @param before likewise; null: up to now
    /// @throws SheafException.Conflict where the webhook is disabled
    public Webhook replay(UUID id, String after, @Nullable String before) {
        var body = Json.object().put("after", after);
        if (before != null) {
            body.put("before", before);
        }
        return accepted("/" + id + ":replay", body, Webhook.class);
    }

    /// The latest deliveries, the newest first, without their attempts.
    ///
    /// @param state `delivered`, `pending` or `failed`; null: any
    /// @param type of events, one trailing `*` allowed; null: any
    public List<Delivery> deliveries(UUID id, @Nullable String state, @Nullable String type, int most) {
        String query = "?" + (state == null ? "" : "state=" + Call.encode(state) + "&")
                + (type == null ? "" : "type=" + Call.encode(type) + "&");
        return webhooks.list("/" + id + "/deliveries" + query.substring(0, query.length() - 1), Delivery.class, most);
    }

    /// One with each attempt.
    public Delivery delivery(UUID webhook, UUID id) {
        return webhooks.get("/" + webhook + "/deliveries/" + id, Delivery.class);
    }

    /// Has it sent once more, now, in whatever state it is.
    ///
    /// @throws SheafException.Conflict where the webhook is disabled
    public Delivery redeliver(UUID webhook, UUID id) {
        return accepted("/" + webhook + "/deliveries/" + id + ":redeliver", Json.object(), Delivery.class);
    }

    private <T> T accepted(String rest, ObjectNode body, Class<T> type) {
        return webhooks.transport()
                .json(webhooks.call("POST", rest).sendingJson(body).expecting(202), type);
    }
}
