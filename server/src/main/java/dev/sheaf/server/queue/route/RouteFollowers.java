package dev.sheaf.server.queue.route;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.server.event.FeedWaking;
import java.util.List;
import java.util.UUID;

/// The routes that are enabled.
public final class RouteFollowers implements FeedWaking.Followers {
    @Override
    public List<UUID> of(Tx tx, UUID organization) {
        return RouteRows.enabled(tx, organization);
    }

    @Override
    public List<UUID> organizations(Tx tx) {
        return RouteRows.organizations(tx);
    }

    @Override
    public List<FeedWaking.Following> all(Tx tx) {
        return RouteRows.enabled(tx);
    }
}
