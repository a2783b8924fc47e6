package dev.sheaf.model.wire.webhook;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Where an organization has its events sent.
///
/// @param headerNames the receiver's own headers, without what is in them
/// @param rateLimit most requests a second; null: any number
/// @param eventTypes such as `version.published` or `version.*`
/// @param namespaces events of their bundles alone; empty: all
/// @param bundles events of these alone, such as `acme/kit` or `acme/kit-*`; empty: all
/// @param disabledReason `manually`, `gone` (the receiver answered 410) or `failing` (for five days); null: it is
/// enabled
/// @param failingSince when the first failed of the deliveries that failed since one succeeded; null: none
/// @param replay what is sent once more at present
/// @param oldSecretUntil until when the secret before this one signs, too
/// @param secret in the answer of its creation or rotation and never again
public record Webhook(
        UUID id,
        String url,
        @Nullable String description,
        List<String> headerNames,
        @Nullable Integer rateLimit,
        List<String> eventTypes,
        List<String> namespaces,
        List<String> bundles,
        boolean enabled,
        @Nullable String disabledReason,
        @Nullable Instant disabledAt,
        @Nullable Instant failingSince,
        @Nullable Replay replay,
        Instant createdAt,
        String createdBy,
        Instant updatedAt,
        @Nullable Instant oldSecretUntil,
        @Nullable String secret) {
    public Webhook {
        headerNames = List.copyOf(headerNames);
        eventTypes = List.copyOf(eventTypes);
        namespaces = List.copyOf(namespaces);
        bundles = List.copyOf(bundles);
    }

    /// Events that are sent once more.
    ///
    /// @param after the sequence of the last one that was
    /// @param until the sequence of the last one that will be
    public record Replay(String after, String until) {}

    /// The same with its secret, or without.
    public Webhook withSecret(@Nullable String text) {
        return copy(failingSince, replay, text);
    }

    /// The same without what changes by itself.
    public Webhook withoutProgress() {
        return copy(null, null, secret);
    }

    private Webhook copy(@Nullable Instant failing, @Nullable Replay again, @Nullable String text) {
        return new Webhook(
                id,
                url,
                description,
                headerNames,
                rateLimit,
                eventTypes,
                namespaces,
                bundles,
                enabled,
                disabledReason,
                disabledAt,
                failing,
                again,
                createdAt,
                createdBy,
                updatedAt,
                oldSecretUntil,
                text);
    }

    /// Hides the secret and the address, which may hold one: this record may reach a log.
    @Override
    public String toString() {
        return "Webhook[" + id + "]";
    }
}
