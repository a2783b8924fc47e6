package dev.sheaf.server.webhook;

import dev.sheaf.engine.db.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A webhook with the first of its deliveries that wait to be sent. New events are not among them.
///
/// @param tests sent at once, oldest first
/// @param others the first in the order in which they are due
record DueDeliveries(WebhookRow webhook, List<DeliveryRow> tests, List<DeliveryRow> others) {
    /// The most that are read at once.
    static final int MOST = 16;

    DueDeliveries {
        tests = List.copyOf(tests);
        others = List.copyOf(others);
    }

    /// Reads them; empty if the webhook was deleted or is disabled.
    static Optional<DueDeliveries> read(Tx tx, UUID organization, UUID id) {
        return WebhookRows.find(tx, organization, id).flatMap(webhook -> of(tx, webhook));
    }

    /// Returns the deliveries of a webhook that was just read; empty if it is disabled.
    static Optional<DueDeliveries> of(Tx tx, WebhookRow webhook) {
        if (!webhook.isEnabled()) {
            return Optional.empty();
        }
        var tests = DeliveryRows.tests(tx, webhook.id(), MOST);
        var others = DeliveryRows.pending(tx, webhook.id(), MOST);
        return Optional.of(new DueDeliveries(webhook, tests.get(), others.get()));
    }

    DueDeliveries with(WebhookProgress progress) {
        return new DueDeliveries(webhook.with(progress), tests, others);
    }

    /// Returns the deliveries that are due, other than tests.
    List<DeliveryRow> due(Instant now) {
        return others.stream().filter(delivery -> isDue(delivery, now)).toList();
    }

    /// Returns when another one will be due; null if none waits.
    @Nullable
    Instant next(Instant now) {
        return others.stream()
                .filter(delivery -> !isDue(delivery, now))
                .findFirst()
                .map(DeliveryRow::dueAt)
                .orElse(null);
    }

    private static boolean isDue(DeliveryRow delivery, Instant now) {
        return delivery.dueAt() != null && !delivery.dueAt().isAfter(now);
    }
}
