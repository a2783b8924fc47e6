package dev.sheaf.server.webhook;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.event.FeedWaking;
import java.util.List;
import java.util.UUID;

/// The webhooks that are enabled.
public final class WebhookFollowers implements FeedWaking.Followers {
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
}
