package dev.sheaf.server.webhook;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.work.WorkClaim;
import dev.sheaf.engine.work.Worker;
import dev.sheaf.server.event.EventFeed;
import dev.sheaf.server.event.EventFeeds;
import dev.sheaf.server.event.EventWire;
import java.time.Instant;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// Delivers the events of webhooks. Each webhook is a piece of work of its own, so none waits for the receiver of
/// another. Thread-safe.
///
/// @param lags receives how long each event waited for its first attempt, in nanoseconds; not of webhooks that
/// fail, replay or have a rate, whose events wait on purpose
public record WebhookDelivery(Database database, EventFeeds feeds, EventWire wire, Sender sender, LongConsumer lags)
        implements Worker.Job {
    @Override
    public @Nullable Instant run(WorkClaim claim) {
        try (var follower = feeds.follow(new EventFeed(UUID.fromString(claim.owner())))) {
            return DeliveryRun.run(this, claim, follower);
        }
    }
}
