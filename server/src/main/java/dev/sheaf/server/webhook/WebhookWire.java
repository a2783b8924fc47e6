package dev.sheaf.server.webhook;

import dev.sheaf.model.wire.webhook.Delivery;
import dev.sheaf.model.wire.webhook.Webhook;
import dev.sheaf.server.auth.CredentialRestrictions;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Converts webhooks and deliveries to their JSON form.
final class WebhookWire {
    private WebhookWire() {}

    static Webhook show(WebhookRow row, WebhookSecrets secrets, Instant now) {
        var restrictions = CredentialRestrictions.decode(row.restrictions()).toWire();
        boolean isOldGood = row.oldUntil() != null && row.oldUntil().isAfter(now);
        return new Webhook(
                row.id(),
                row.url(),
                row.description(),
                row.headers() == null ? List.of() : secrets.headerNames(row.id(), row.headers()),
                row.rate(),
                row.types().names(),
                entries(restrictions == null ? null : restrictions.namespaces()),
                entries(restrictions == null ? null : restrictions.bundles()),
                row.isEnabled(),
                row.disabled() == null ? null : row.disabled().toString(),
                row.disabledAt(),
                row.progress().failingSince(),
                replay(row.progress()),
                row.createdAt(),
                row.createdBy(),
                row.updatedAt(),
                isOldGood ? row.oldUntil() : null,
                null);
    }

    private static List<String> entries(@Nullable List<String> entries) {
        return entries == null ? List.of() : entries;
    }

    private static Webhook.@Nullable Replay replay(WebhookProgress progress) {
        return progress.replaySeq() == null || progress.replayEnd() == null
                ? null
                : new Webhook.Replay(sequence(progress.replaySeq()), sequence(progress.replayEnd()));
    }

    /// Returns the sequence in the same form as in events.
    private static String sequence(long seq) {
        return "%020d".formatted(seq);
    }

    /// @param last the result of the latest attempt; null if there is none
    static Delivery show(
            DeliveryRow row, DeliveryRow.@Nullable Result last, @Nullable List<DeliveryRow.Attempt> attempts) {
        return new Delivery(
                row.id(),
                row.webhookId(),
                row.eventId(),
                row.eventSeq() == null ? null : sequence(row.eventSeq()),
                row.type(),
                row.subject(),
                row.state().toString(),
                row.attempts(),
                last == null ? null : last.status(),
                last == null ? null : last.error(),
                row.dueAt(),
                row.createdAt(),
                row.updatedAt(),
                attempts == null
                        ? null
                        : attempts.stream()
                                .map(attempt -> new Delivery.Attempt(
                                        attempt.at(),
                                        attempt.milliseconds(),
                                        attempt.status(),
                                        attempt.answer(),
                                        attempt.error(),
                                        KeptAnswer.headers(attempt.requestHeaders()),
                                        KeptAnswer.headers(attempt.answerHeaders()),
                                        attempt.answerBytes()))
                                .toList());
    }
}
