package dev.sheaf.server.module;

import dev.sheaf.engine.metrics.SampledValue;
import dev.sheaf.engine.work.RecurringTask;
import dev.sheaf.engine.work.RowExpiry;
import dev.sheaf.engine.work.Task;
import dev.sheaf.model.wire.admin.TaskKind;
import dev.sheaf.server.bundle.HoldRows;
import dev.sheaf.server.bundle.api.ContentsApi;
import dev.sheaf.server.bundle.review.ClosedContent;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.heap.HeapShare;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.maintenance.AdminTask;
import dev.sheaf.server.maintenance.InstallationStats;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.RetentionPolicy;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.Manifests;
import dev.sheaf.server.registry.content.StoreOwner;
import dev.sheaf.server.registry.gc.Collector;
import dev.sheaf.server.registry.gc.RetentionReasons;
import dev.sheaf.server.registry.gc.ReverseSweep;
import dev.sheaf.server.registry.gc.UploadExpiry;
import dev.sheaf.server.registry.scrub.Scrub;
import dev.sheaf.server.registry.tag.Tags;
import dev.sheaf.server.registry.upload.UploadLimits;
import dev.sheaf.server.registry.upload.Uploads;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// Repositories with their blobs, manifests, tags and uploads, and the collector that removes unused content.
public final class RegistryModule implements FeatureModule {
    private static final Duration LAST = Duration.ofSeconds(2);
    private static final int BYTES_OF_ROW = 250 + HeapShare.ENTRY;
    private static final Blobs.CacheSize BLOBS =
            new Blobs.CacheSize(HeapShare.BLOB_ROWS.entries(1, BYTES_OF_ROW), HeapShare.BLOB_CONTENT.bytes());
    private static final Blobs.CacheSize MANIFESTS =
            new Blobs.CacheSize(HeapShare.MANIFEST_ROWS.entries(2, BYTES_OF_ROW), HeapShare.MANIFEST_CONTENT.bytes());

    private final NodeBase node;
    private final Repositories repositories;
    private final RetentionPolicy policy;
    private final Blobs blobs;
    private final Manifests manifests;
    private final Uploads uploads;
    private final Tags tags;
    private final Scrub scrub;
    private final Collector collector;
    private final ReverseSweep strays;
    private final List<RecurringTask> recurring;

    RegistryModule(NodeBase node, OrgModule org) {
        this.node = node;
        var config = node.config();
        var database = node.database();
        new StoreOwner(database, node.store()).objection().ifPresent(why -> {
            throw new StartException(ServerExit.STORAGE_UNREACHABLE, why);
        });
        this.repositories = new Repositories(database);
        this.policy = policy(config);
        this.blobs = new Blobs(database, node.store(), policy, BLOBS);
        this.manifests = new Manifests(database, policy, MANIFESTS, config.isOn(Setting.SPARSE_MANIFESTS));
        this.uploads = new Uploads(database, node.store(), blobs, org.quotas(), limits(config));
        node.metrics()
                .gauge(
                        "sheaf_uploads_open",
                        "Uploads of the whole installation that have begun and not ended.",
                        new SampledValue<>(0L, uploads::opened)::get);
        this.tags = new Tags(database);
        this.scrub = new Scrub(database, node.store(), Duration.ofDays(config.number(Setting.SCRUB_DAYS)));
        this.collector = new Collector(database, node.store(), policy, uploads);
        this.strays = new ReverseSweep(
                database,
                node.store(),
                new ReverseSweep.Times(config.duration(Setting.STRAY_AGE), config.duration(Setting.STRAY_RETENTION)));
        this.recurring = List.of(
                recurring("housekeeping", Duration.ofMinutes(1), new UploadExpiry(database, node.store(), uploads)),
                recurring("gc", config.duration(Setting.GC_INTERVAL), collector),
                recurring("sweep", config.duration(Setting.SWEEP_INTERVAL), strays));
    }

    private RecurringTask recurring(String name, Duration pause, Task task) {
        return new RecurringTask(
                node.database(), name, pause, task, node.metrics().recurring());
    }

    private static RetentionPolicy policy(Config config) {
        return new RetentionPolicy(
                config.duration(Setting.PUSH_LEASE),
                config.duration(Setting.DELETION_GRACE),
                config.retention(Setting.UNTAGGED_RETENTION).orElse(null));
    }

    static UploadLimits limits(Config config) {
        return new UploadLimits(
                config.number(Setting.MAX_BLOB_BYTES),
                config.number(Setting.MAX_OPEN_UPLOADS),
                config.number(Setting.MAX_OPEN_UPLOADS_PER_CREDENTIAL));
    }

    @Override
    public List<Route> routes() {
        return new ContentsApi(
                        new RetentionReasons(node.database(), repositories, policy, new HoldRows()),
                        repositories,
                        new ClosedContent(node.database(), blobs))
                .routes();
    }

    @Override
    public List<AdminTask> tasks() {
        var stats = new InstallationStats(node.database());
        return List.of(
                new AdminTask(
                        TaskKind.GC,
                        () -> List.of("Stored objects that already wait for their deletion: "
                                + counted(stats, "deletionsQueued") + ". A dry run counts what joins them."),
                        collector),
                new AdminTask(
                        TaskKind.SWEEP,
                        () -> List.of("Stored objects that are set aside: " + counted(stats, "straysAside")
                                + ". A dry run counts what joins them."),
                        strays),
                new AdminTask(
                        TaskKind.SCRUB,
                        () -> List.of("It reads " + counted(stats, "blobs") + " blobs with "
                                + counted(stats, "blobBytes") + " bytes, and changes none of them."),
                        scrub));
    }

    private static String counted(InstallationStats stats, String name) {
        return String.format(Locale.ROOT, "%,d", stats.count(name));
    }

    @Override
    public List<Task> expiring() {
        return RowExpiry.of(
                node.database(),
                "tagMovesRemoved",
                node.config().retention(Setting.TAG_HISTORY_RETENTION).orElse(null),
                Tags::removeMoves);
    }

    @Override
    public void begin(NodeTimer timer) {
        var config = node.config();
        timer.every(
                "checking stored content",
                config.number(Setting.SCRUB_DAYS) > 0 ? Duration.ofMinutes(1) : Duration.ZERO,
                scrub::step);
        recurring.forEach(RecurringTask::begin);
    }

    @Override
    public void stop() {
        recurring.forEach(RecurringTask::stop);
    }

    /// Waits for running tasks, which end at their next step. If one takes too long, it is cut off, and another
    /// node continues.
    @Override
    public List<Last> last() {
        return List.of(new Last("recurring tasks were cut off", () -> recurring.forEach(task -> task.awaitEnd(LAST))));
    }

    Repositories repositories() {
        return repositories;
    }

    RetentionPolicy policy() {
        return policy;
    }

    Blobs blobs() {
        return blobs;
    }

    Manifests manifests() {
        return manifests;
    }

    Scrub scrub() {
        return scrub;
    }

    Uploads uploads() {
        return uploads;
    }

    Tags tags() {
        return tags;
    }
}
