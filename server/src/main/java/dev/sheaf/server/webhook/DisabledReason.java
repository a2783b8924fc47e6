package dev.sheaf.server.webhook;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.audit.AuditEntry;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.event.OfWebhook;
import dev.sheaf.server.event.OutboxRows;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The reason why a webhook is disabled.
enum DisabledReason {
    /// An admin disabled it.
    MANUALLY,
    /// The receiver answered 410.
    GONE,
    /// Nothing was delivered for five days.
    FAILING;

    private static final Logger LOG = LoggerFactory.getLogger(DisabledReason.class);

    /// Disables a webhook whose receiver asked for it or has failed for too long.
    void end(Tx tx, WebhookRow webhook) {
        WebhookRows.disable(tx, webhook.id(), this);
        DeliveryRows.giveUp(tx, webhook.id());
        String host = WebhookSettings.host(webhook.url());
        OutboxRows.emit(tx, webhook.organizationId(), new OfWebhook.WebhookDisabled(webhook.id(), host, toString()));
        AuditRows.insert(
                tx,
                AuditEntry.ofSystem(
                        webhook.organizationId(),
                        "webhook.disable",
                        webhook.id().toString()));
        tx.changed(
                new DataChange(DataChange.Kind.WEBHOOK, webhook.organizationId().toString()));
    }

    void log(WebhookRow webhook) {
        LOG.warn(
                "the webhook {} to {} was disabled because its receiver {}; fix the receiver and enable the webhook again",
                webhook.id(),
                WebhookSettings.host(webhook.url()),
                this == GONE ? "answered 410" : "has failed for five days");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
