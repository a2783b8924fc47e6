package dev.sheaf.server.module;

import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.engine.http.WaitingLimit;
import dev.sheaf.engine.metrics.SampledValue;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.event.EventFeeds;
import dev.sheaf.server.event.EventNumbering;
import dev.sheaf.server.event.EventSweep;
import dev.sheaf.server.event.EventWire;
import dev.sheaf.server.event.FeedCursors;
import dev.sheaf.server.event.api.EventsApi;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Events, and the requests that follow them.
final class EventModule implements FeatureModule {
    private static final int HANDLES = HeapShare.ORGANIZATIONS.entries(6, 200 + HeapShare.ENTRY);

    private final OrgModule org;
    private final EventFeeds feeds;
    private final EventNumbering numbering;
    private final EventSweep sweep;
    private final InvalidatedCache<UUID, String> handles;
    private final WaitingLimit seats;
    private final EventWire wire = new EventWire(this::handle);

    EventModule(NodeBase node, OrgModule org) {
        var database = node.database();
        this.org = org;
        this.feeds = new EventFeeds(database, new FeedCursors(node.master()));
        this.seats = new WaitingLimit(HttpModule.followers(node.config()));
        this.numbering = new EventNumbering(database);
        this.sweep = new EventSweep(database, node.config().duration(Setting.EVENT_RETENTION));
        node.metrics()
                .gauge(
                        "sheaf_events_lag_seconds",
                        "How long the oldest event has waited to appear in its feed.",
                        new SampledValue<>(0.0, numbering::lagSeconds)::get);
        this.handles = new InvalidatedCache<>(database, "handles", HANDLES); // handles never change
    }

    @Override
    public List<Route> routes() {
        return new EventsApi(feeds, wire, seats).routes();
    }

    private String handle(UUID organization) {
        return handles.get(
                        organization,
                        id -> Optional.of(org.organizations().get(id).handle()))
                .orElseThrow();
    }

    @Override
    public void begin(NodeTimer timer) {
        numbering.begin();
        timer.now("numbering events", numbering::run);
        // events whose node died before it numbered them
        timer.every("numbering events", Duration.ofMinutes(1), numbering::run);
        timer.every("deleting old events", Duration.ofHours(1), sweep::run);
    }

    @Override
    public void leave() {
        feeds.stop();
    }

    @Override
    public void stop() {
        numbering.stop();
    }

    @Override
    public List<Last> last() {
        return List.of(new Last("the last events are numbered, and sent to their followers, later", numbering::run));
    }

    WaitingLimit seats() {
        return seats;
    }

    EventFeeds feeds() {
        return feeds;
    }

    EventWire wire() {
        return wire;
    }
}
