package dev.sheaf.server.module;

import dev.sheaf.server.bundle.tag.TagCheck;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.maintenance.Stats;
import dev.sheaf.server.maintenance.Tasks;
import dev.sheaf.server.maintenance.backup.Backup;
import dev.sheaf.server.maintenance.fsck.Fsck;
import dev.sheaf.server.node.Node;
import dev.sheaf.server.node.Timer;
import dev.sheaf.server.v1.admin.AdminApi;
import dev.sheaf.server.work.Task;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What keeps an installation in order: the tasks of all features, which administrators start, and its own.
public final class MaintenanceModule implements Module {
    private static final Duration LAST = Duration.ofSeconds(2);

    private final Node node;
    private final Fsck fsck;
    private final Tasks tasks;
    private final Stats stats;

    MaintenanceModule(Node node, OrgModule org, RegistryModule registry, List<Module> features) {
        this.node = node;
        var database = node.database();
        var tagCheck = new TagCheck(database, registry.repositories(), registry.tags());
        this.fsck = new Fsck(database, node.store(), tagCheck, org.quotas());
        this.stats = new Stats(database);
        var all = new HashMap<String, Task>(Map.of("fsck", fsck, "backup", backup()));
        features.forEach(feature -> all.putAll(feature.tasks()));
        this.tasks = new Tasks(database, Map.copyOf(all));
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
        return new AdminApi(tasks, stats).routes();
    }

    @Override
    public void begin(Timer timer) {
        timer.now(() -> fsck.start(node.isAfterKill()));
        tasks.begin();
        timer.every(Duration.ofSeconds(2), tasks::heartbeat);
    }

    @Override
    public void stop() {
        tasks.stop();
    }

    /// What takes longer is cut off, and counts as lost.
    @Override
    public List<Runnable> last() {
        return List.of(() -> tasks.awaitEnd(LAST));
    }

    public Tasks all() {
        return tasks;
    }

    public Stats stats() {
        return stats;
    }
}
