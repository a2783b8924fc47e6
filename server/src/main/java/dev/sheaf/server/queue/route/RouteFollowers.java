package dev.sheaf.server.queue.route;

import dev.sheaf.server.db.Tx;
import dev.sheaf.server.event.FeedWaking;
import dev.sheaf.server.work.Worker;
import java.util.List;
import java.util.UUID;

/// Wakes routes when their events arrive.
public record RouteFollowers(Worker worker) implements FeedWaking.Followers {
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

    @Override
    public void wake(UUID id, String organization) {
        worker.wake(id.toString(), organization);
    }

    @Override
    public void edited(String organization) {
        // each turn reads its route again
    }

    @Override
    public void missed() {
        worker.look();
    }
}
