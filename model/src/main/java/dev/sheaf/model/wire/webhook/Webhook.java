package dev.sheaf.model.wire.webhook;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A webhook, to which an organization's events are sent.
///
/// @param headerNames the names of additional request headers, without their values
/// @param rateLimit the limit of requests per second; null means no limit
/// @param eventTypes such as `version.published` or `version.*`
/// @param namespaces the namespaces whose events are sent; empty means all
/// @param bundles the bundles whose events are sent, such as `acme/kit` or `acme/kit-*`; empty means all
/// @param disabledReason `manually`, `gone` (the receiver answered 410) or `failing` (for five days); null if
/// it is enabled
/// @param failingSince the first failure since the last success; null if there was no failure
/// @param replay the replay in progress; null if no replay runs
/// @param oldSecretUntil until this time, deliveries are also signed with the previous secret
/// @param secret only in the response that creates or rotates it
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

    /// A replay of past events.
    ///
    /// @param after the sequence of the last event that has been sent
    /// @param until the sequence of the last event to send
    public record Replay(String after, String until) {}

    /// Returns a copy with this secret, or without a secret if it is null.
    public Webhook withSecret(@Nullable String text) {
        return copy(failingSince, replay, text);
    }

    /// Returns a copy without the members that change without an update.
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

    /// Hides the secret and the address, which may contain one, since this record may be logged.
    @Override
    public String toString() {
        return "Webhook[" + id + "]";
    }
}
