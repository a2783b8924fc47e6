package dev.sheaf.server.module;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.metrics.Metrics;
import dev.sheaf.engine.metrics.SampledValue;
import dev.sheaf.engine.work.Worker;
import dev.sheaf.model.Digest;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.server.auth.AccessTokens;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.TokenSubject;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.event.FeedWaking;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import dev.sheaf.server.queue.DeadJobs;
import dev.sheaf.server.queue.Habitats;
import dev.sheaf.server.queue.JobCounts;
import dev.sheaf.server.queue.NamedBundle;
import dev.sheaf.server.queue.PromptReader;
import dev.sheaf.server.queue.QueueInstructions;
import dev.sheaf.server.queue.Queues;
import dev.sheaf.server.queue.api.HabitatsApi;
import dev.sheaf.server.queue.api.InstructionsApi;
import dev.sheaf.server.queue.api.JobsApi;
import dev.sheaf.server.queue.api.QueuesApi;
import dev.sheaf.server.queue.api.RoutesApi;
import dev.sheaf.server.queue.api.RunnerApi;
import dev.sheaf.server.queue.api.SchedulesApi;
import dev.sheaf.server.queue.api.WorkersApi;
import dev.sheaf.server.queue.claim.ClaimLeases;
import dev.sheaf.server.queue.claim.Claims;
import dev.sheaf.server.queue.claim.JobClock;
import dev.sheaf.server.queue.claim.JobExecutions;
import dev.sheaf.server.queue.claim.WorkerPrograms;
import dev.sheaf.server.queue.job.JobEnqueue;
import dev.sheaf.server.queue.job.Jobs;
import dev.sheaf.server.queue.job.QueueDeletion;
import dev.sheaf.server.queue.job.QueueStatistics;
import dev.sheaf.server.queue.pages.WorkPages;
import dev.sheaf.server.queue.route.EventRouter;
import dev.sheaf.server.queue.route.JobRoutes;
import dev.sheaf.server.queue.route.RouteFollowers;
import dev.sheaf.server.queue.schedule.Schedules;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Queues of jobs, and their workers.
final class QueueModule implements FeatureModule {
    private static final int ROUTES_AT_ONCE = 20;
    private static final Duration LAST = Duration.ofSeconds(2);

    private final JobClock clock;
    private final Claims claims;
    private final WorkerPrograms workers;
    private final QueueDeletion deletion;
    private final Worker routing;
    private final FeedWaking waking;
    private final List<Route> routes;
    private final WorkPages pages;
    private final DeadJobs dead;

    private void measure(Metrics metrics, Database database) {
        var jobs = new SampledValue<Map<String, Double>>(Map.of(), () -> database.read(JobCounts::byState));
        metrics.gauges("sheaf_jobs", "Jobs of all queues.", "status", jobs);
        claims.measured(metrics.time("sheaf_job_wait_seconds", "How long claimed jobs were queued."));
        metrics.counts(
                "sheaf_lease_expiries_total",
                "Claims of jobs that this node ended because their deadline had passed.",
                clock.expired(),
                "outcome");
        metrics.gauge("sheaf_claims_waiting", "Claims that wait for a job on this node.", claims::waiting);
    }

    QueueModule(
            NodeBase node, SecretsModule secrets, RegistryModule registry, BundleModule bundle, EventModule events) {
        var database = node.database();
        var bundles = bundle.bundles();
        var named = new NamedBundle(bundles);
        var prompts = new PromptReader(bundles, bundle.resolve(), new AssetBytes(registry.blobs()));
        var queues = new Queues(database, named);
        var habitats = new Habitats(database);
        var instructions = new QueueInstructions(database, bundles, bundle.resolve(), prompts, node.cpu());
        var schedules = new Schedules(database, node.cpu());
        this.clock = new JobClock(database, schedules);
        var leases = new ClaimLeases(database, clock);
        this.claims = new Claims(
                database,
                prompts,
                new JobExecutions(prompts, node.cpu(), database::now),
                token(secrets, database),
                leases,
                clock);
        measure(node.metrics(), database);
        this.dead = new DeadJobs(database);
        this.workers = new WorkerPrograms(database, leases);
        this.deletion = new QueueDeletion(database, queues);
        this.routing = new Worker(
                database,
                "route",
                ROUTES_AT_ONCE,
                new EventRouter(database, events.feeds(), events.wire(), node.cpu()));
        this.waking = new FeedWaking(database, routing, new RouteFollowers());
        var statistics = new QueueStatistics(database);
        var enqueue = new JobEnqueue(database, named);
        var jobs = new Jobs(database, queues);
        var jobRoutes = new JobRoutes(database, node.cpu());
        this.pages = new WorkPages(
                queues, deletion, statistics, habitats, instructions, schedules, enqueue, jobs, workers, jobRoutes);
        var parts = new RunnerApi.Parts(habitats, queues, instructions, claims, leases);
        this.routes = Stream.of(
                        new HabitatsApi(habitats, workers).routes(),
                        new QueuesApi(queues, deletion, statistics).routes(),
                        new InstructionsApi(queues, instructions).routes(),
                        new JobsApi(queues, enqueue, jobs).routes(),
                        new RunnerApi(parts, events.seats(), database::now).routes(),
                        new WorkersApi(workers).routes(),
                        new SchedulesApi(queues, schedules).routes(),
                        new RoutesApi(jobRoutes).routes())
                .flatMap(List::stream)
                .toList();
    }

    /// Returns a function that makes tokens for claims. Such a token can pull the pinned manifest of the job. It
    /// works as long as the claim, which is checked at each use, and so needs no short lifetime of its own. It
    /// ends with the credential that claimed: the key, or an access token that is revoked.
    private static Claims.BundleTokens token(SecretsModule secrets, Database database) {
        return (caller, pinned, claim) -> {
            var now = database.now();
            if (!(pinned.selector() instanceof VersionSelector.ByDigest(Digest digest))) {
                return Optional.empty();
            }
            var subject = TokenSubject.of(caller.credential());
            var grant = Grant.Limited.to(pinned.repository(), digest, claim);
            return Optional.of(
                    secrets.tokens().issue(subject, grant, caller.tokens(), now, now.plus(AccessTokens.LONGEST_CLAIM)));
        };
    }

    DeadJobs dead() {
        return dead;
    }

    WorkPages pages() {
        return pages;
    }

    @Override
    public List<Route> routes() {
        return routes;
    }

    @Override
    public void begin(NodeTimer timer) {
        claims.begin();
        clock.begin();
        routing.begin();
        waking.begin();
        timer.every("deleting jobs whose retention has ended", Duration.ofHours(1), deletion::sweep);
        timer.every("deleting old workers", Duration.ofHours(6), workers::sweep);
    }

    @Override
    public void leave() {
        claims.leave();
    }

    @Override
    public void stop() {
        clock.stop();
        routing.stop();
    }

    @Override
    public List<Last> last() {
        return List.of(
                new Last("the routing of events to queues was cut off", () -> routing.awaitEnd(LAST)),
                new Last("a check for due jobs was cut off", () -> clock.awaitEnd(LAST)));
    }
}
