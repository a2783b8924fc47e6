package dev.sheaf.server.webhook;

import dev.sheaf.server.db.Tx;
import dev.sheaf.server.event.FeedWaking;
import dev.sheaf.server.work.Worker;
import java.util.List;
import java.util.UUID;

/// The webhooks that are enabled.
public record WebhookFollowers(Worker worker) implements FeedWaking.Followers {
    @Override
    public List<UUID> of(Tx tx, UUID organization) {
        return WebhookRows.enabled(tx, organization);
    }

    @Override
    public List<UUID> organizations(Tx tx) {
        return WebhookRows.organizations(tx);
    }

    @Override
    public List<FeedWaking.Following> all(Tx tx) {
        return WebhookRows.enabled(tx);
    }

    @Override
    public void wake(UUID id, String organization) {
        worker.wake(id.toString(), organization);
    }

    @Override
    public void edited(String organization) {
        worker.changed(organization);
    }

    @Override
    public void missed() {
        worker.changed(null);
        worker.look();
    }
}
