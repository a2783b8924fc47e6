package dev.sheaf.server.webhook;

import dev.sheaf.server.audit.AuditEntry;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.db.Change;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.event.OfWebhook;
import dev.sheaf.server.event.OutboxRows;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends what is sent to a receiver that wants no more, or has failed for too long.
final class Disabling {
    private static final Logger LOG = LoggerFactory.getLogger(Disabling.class);

    private Disabling() {}

    static void run(Tx tx, WebhookRow webhook, Disabled reason) {
        WebhookRows.disable(tx, webhook.id(), reason);
        DeliveryRows.giveUp(tx, webhook.id());
        String host = WebhookSettings.host(webhook.url());
        OutboxRows.emit(
                tx, webhook.organizationId(), new OfWebhook.WebhookDisabled(webhook.id(), host, reason.toString()));
        AuditRows.insert(
                tx,
                AuditEntry.ofSystem(
                        webhook.organizationId(),
                        "webhook.disable",
                        webhook.id().toString()));
        tx.changed(new Change(Change.Kind.WEBHOOK, webhook.organizationId().toString()));
    }

    static void log(WebhookRow webhook, Disabled reason) {
        LOG.warn(
                "the webhook {} to {} is disabled, since its receiver {}; enable it again once that is mended",
                webhook.id(),
                WebhookSettings.host(webhook.url()),
                reason == Disabled.GONE ? "answered 410" : "has failed for five days");
    }
}
