package dev.sheaf.server.module;

import dev.sheaf.engine.metrics.LabeledCounter;
import dev.sheaf.engine.metrics.SampledValue;
import dev.sheaf.engine.work.RecurringTask;
import dev.sheaf.engine.work.Task;
import dev.sheaf.engine.work.Worker;
import dev.sheaf.model.wire.admin.TaskKind;
import dev.sheaf.server.bundle.tag.TagCheck;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.maintenance.AdminTask;
import dev.sheaf.server.maintenance.InstallationStats;
import dev.sheaf.server.maintenance.ReadOnlyMode;
import dev.sheaf.server.maintenance.Tasks;
import dev.sheaf.server.maintenance.api.AdminApi;
import dev.sheaf.server.maintenance.backup.Backup;
import dev.sheaf.server.maintenance.fsck.Fsck;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/// Maintenance of an installation: its own tasks, and the tasks of all features. Administrators start them.
public final class MaintenanceModule implements FeatureModule {
    private static final Duration LAST = Duration.ofSeconds(2);
    private static final String LOOKING = "reading the mode of the installation";
    private static final Duration BACKUP_ASKED = Duration.ofMinutes(1);
    private static final Duration MODE_SEEN = Duration.ofSeconds(1);

    private final NodeBase node;
    private final Fsck fsck;
    private final Tasks tasks;
    private final InstallationStats stats;
    private final ReadOnlyMode mode;
    private final RecurringTask expiry;

    MaintenanceModule(NodeBase node, OrgModule org, RegistryModule registry, List<FeatureModule> features) {
        this.node = node;
        var database = node.database();
        var tagCheck = new TagCheck(database, registry.repositories(), registry.tags());
        this.fsck = new Fsck(database, node.store(), tagCheck, org.quotas());
        this.stats = new InstallationStats(database);
        this.mode = mode(node);
        var all = Stream.concat(own().stream(), features.stream().flatMap(feature -> feature.tasks().stream()));
        this.tasks = new Tasks(database, all.toList());
        var expiring = features.stream()
                .flatMap(feature -> feature.expiring().stream())
                .toList();
        this.expiry = new RecurringTask(
                database,
                "retention",
                Duration.ofHours(1),
                run -> expiring.forEach(task -> task.run(run)),
                node.metrics().recurring());
        node.metrics()
                .gauges(
                        "sheaf_task_success_seconds",
                        "When a task last succeeded on any node, in seconds since 1970.",
                        "task",
                        tasks::successes);
        node.metrics()
                .gauges(
                        "sheaf_task_failure_seconds",
                        "When a task last failed on any node, in seconds since 1970.",
                        "task",
                        tasks::failures);
        node.metrics()
                .gauges(
                        "sheaf_task_faults",
                        "Faults that the last successful run of fsck or scrub found, and objects that the last backup lacks.",
                        "task",
                        tasks::faults);
        node.metrics()
                .gauges(
                        "sheaf_work_lag_seconds",
                        "How long the work that waits longest has been due, by kind.",
                        "kind",
                        new SampledValue<>(Map.of(), () -> Worker.lags(database)));
    }

    private static ReadOnlyMode mode(NodeBase node) {
        var refused = new LabeledCounter();
        var mode = new ReadOnlyMode(node.database(), node.config().isOn(Setting.READ_ONLY), refused.of());
        node.metrics()
                .gauge("sheaf_read_only", "1 while this node refuses changes because it is read-only, else 0.", () -> {
                    var seen = mode.lastSeen();
                    return seen != null && seen.readOnly() ? 1 : 0;
                });
        node.metrics()
                .counts(
                        "sheaf_read_only_refusals_total",
                        "Requests that were refused because the node or the installation is read-only.",
                        refused);
        return mode;
    }

    private List<AdminTask> own() {
        return List.of(
                new AdminTask(
                        TaskKind.FSCK,
                        () -> List.of(String.format(
                                Locale.ROOT,
                                "It checks %,d bundles and %,d blobs.",
                                stats.count("bundles"),
                                stats.count("blobs"))),
                        fsck),
                new AdminTask(TaskKind.BACKUP, this::aboutBackup, backup()));
    }

    private List<String> aboutBackup() {
        long kept = node.config().number(Setting.BACKUP_KEEP);
        return List.of(
                String.format(
                        Locale.ROOT,
                        "It saves the database and %,d blobs with %,d bytes.",
                        stats.count("blobs"),
                        stats.count("blobBytes")),
                kept == 0
                        ? "No older backup is deleted."
                        : "Backups of this task beyond the newest " + kept + " are deleted.");
    }

    private Task backup() {
        var config = node.config();
        var folder = config.find(Setting.BACKUP_DIR)
                .map(Path::of)
                .orElseGet(() -> node.dataDir().backups());
        return new Backup(
                node.database(), node.store(), node.master(), folder, (int) config.number(Setting.BACKUP_KEEP));
    }

    @Override
    public List<Route> routes() {
        return new AdminApi(tasks, stats, mode).routes();
    }

    @Override
    public void begin(NodeTimer timer) {
        mode.begin();
        timer.now(LOOKING, mode::look);
        timer.every(LOOKING, MODE_SEEN, mode::look);
        timer.now("checking the stored data", () -> fsck.start(node.isAfterKill()));
        tasks.begin();
        long backupHours = node.config().number(Setting.BACKUP_HOURS);
        if (backupHours > 0) {
            timer.every(
                    "starting the backup that is due",
                    BACKUP_ASKED,
                    () -> tasks.startDue(TaskKind.BACKUP, Duration.ofHours(backupHours)));
        }
        timer.every("renewing this node's hold on its tasks", Duration.ofSeconds(2), tasks::heartbeat);
        expiry.begin();
    }

    @Override
    public void stop() {
        tasks.stop();
        expiry.stop();
    }

    /// Waits for running tasks. A task that does not end in time is cut off and counts as lost.
    @Override
    public List<Last> last() {
        return List.of(
                new Last("the tasks of this node were cut off", () -> tasks.awaitEnd(LAST)),
                new Last("the deletion of expired data was cut off", () -> expiry.awaitEnd(LAST)));
    }

    public Tasks all() {
        return tasks;
    }

    ReadOnlyMode mode() {
        return mode;
    }

    public InstallationStats stats() {
        return stats;
    }
}
