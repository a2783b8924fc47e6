package dev.sheaf.server.module;

import dev.sheaf.engine.net.AllowedTargets;
import dev.sheaf.engine.net.OutgoingClient;
import dev.sheaf.engine.net.RateHolder;
import dev.sheaf.engine.work.Worker;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.event.FeedWaking;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import dev.sheaf.server.rate.RateLimiter;
import dev.sheaf.server.rate.RatePolicy;
import dev.sheaf.server.webhook.Deliveries;
import dev.sheaf.server.webhook.Sender;
import dev.sheaf.server.webhook.WebhookDelivery;
import dev.sheaf.server.webhook.WebhookFailures;
import dev.sheaf.server.webhook.WebhookFollowers;
import dev.sheaf.server.webhook.WebhookSecrets;
import dev.sheaf.server.webhook.WebhookSigner;
import dev.sheaf.server.webhook.Webhooks;
import dev.sheaf.server.webhook.api.DeliveriesApi;
import dev.sheaf.server.webhook.api.WebhooksApi;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// Webhooks, which send events to the addresses that organizations choose.
final class WebhookModule implements FeatureModule {
    /// The limit of deliveries at the same time on this node. A delivery spends most of its time waiting for
    /// its receiver.
    private static final int AT_ONCE = 500;
    /// The limit for the wait for running deliveries at a shutdown.
    private static final Duration LAST = Duration.ofSeconds(2);

    private final boolean delivers;
    private final OutgoingClient client;
    private final WebhookSigner signer;
    private final Worker worker;
    private final FeedWaking waking;
    private final Webhooks webhooks;
    private final Deliveries deliveries;
    private final WebhookFailures failures;
    private final WebhooksApi api;

    WebhookModule(NodeBase node, SecretsModule keys, EventModule events) {
        var database = node.database();
        var config = node.config();
        var reach =
                new AllowedTargets(config.isOn(Setting.WEBHOOK_HTTP), config.isOn(Setting.WEBHOOK_PRIVATE_ADDRESSES));
        this.delivers = config.isOn(Setting.WEBHOOKS);
        var secrets = new WebhookSecrets(node.master(), keys.previousMasters());
        this.signer = new WebhookSigner(node.master(), keys.previousMasters());
        this.client = new OutgoingClient(reach, node.tracing());
        var delivery = new WebhookDelivery(
                database,
                events.feeds(),
                events.wire(),
                new Sender(client, signer, secrets),
                node.metrics().time("sheaf_webhook_lag_seconds", "How long events waited for their first delivery."));
        this.worker = new Worker(database, "webhook", AT_ONCE, delivery);
        this.waking = new FeedWaking(database, worker, new WebhookFollowers());
        this.webhooks = new Webhooks(database, secrets, reach);
        this.failures = new WebhookFailures(database);
        this.api = new WebhooksApi(webhooks, signer);
        this.deliveries = new Deliveries(database, events.wire(), secrets, replays());
    }

    private static Deliveries.Replays replays() {
        var policy = new RatePolicy(
                "replays", Deliveries.REPLAYED_A_DAY, Duration.ofDays(1).toSeconds());
        var limiter = new RateLimiter(policy, System::nanoTime);
        return (organization, events) ->
                limiter.take(new RateHolder.Credential(organization), events).waitSeconds();
    }

    /// Returns the client for addresses that organizations choose.
    OutgoingClient client() {
        return client;
    }

    WebhookSigner signer() {
        return signer;
    }

    Webhooks webhooks() {
        return webhooks;
    }

    WebhookFailures failures() {
        return failures;
    }

    Deliveries deliveries() {
        return deliveries;
    }

    @Override
    public List<Route> routes() {
        return Stream.concat(api.routes().stream(), new DeliveriesApi(deliveries).routes().stream())
                .toList();
    }

    @Override
    public void begin(NodeTimer timer) {
        if (delivers) {
            worker.begin();
            waking.begin();
        }
        timer.every("closing unused connections of webhooks", Duration.ofMinutes(1), client::closeIdle);
        timer.every("deleting old deliveries", Duration.ofHours(1), deliveries::sweep);
    }

    @Override
    public void stop() {
        worker.stop();
    }

    /// Waits for running deliveries. A delivery that takes longer is cut off, and another node delivers it
    /// again.
    @Override
    public List<Last> last() {
        return List.of(new Last("deliveries of webhooks were cut off and are sent again later", () -> {
            worker.awaitEnd(LAST);
            client.close();
            worker.awaitEnd(LAST);
        }));
    }
}
