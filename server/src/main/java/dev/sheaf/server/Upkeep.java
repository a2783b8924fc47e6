package dev.sheaf.server;

import dev.sheaf.server.audit.AuditChain;
import dev.sheaf.server.auth.SigningKeys;
import dev.sheaf.server.blob.BlobStore;
import dev.sheaf.server.bundle.TagCheck;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.integrity.AuditCheck;
import dev.sheaf.server.integrity.Backup;
import dev.sheaf.server.integrity.Fsck;
import dev.sheaf.server.org.Quotas;
import dev.sheaf.server.registry.Collector;
import dev.sheaf.server.registry.Housekeeping;
import dev.sheaf.server.registry.Keeping;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.ReverseSweep;
import dev.sheaf.server.registry.Scrub;
import dev.sheaf.server.registry.Tags;
import dev.sheaf.server.registry.Uploads;
import dev.sheaf.server.task.Recurring;
import dev.sheaf.server.task.Stats;
import dev.sheaf.server.task.Task;
import dev.sheaf.server.task.Tasks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/// What keeps an installation's content in order: by itself beside requests, and when administrators ask for it.
final class Upkeep {
    private final Config config;
    private final Quotas quotas;
    private final Housekeeping housekeeping;
    private final Scrub scrub;
    private final Fsck fsck;
    private final Recurring gc;
    private final Recurring sweep;
    private final Tasks tasks;
    private final Stats stats;

    /// What is kept in order.
    record Content(
            Database database,
            BlobStore store,
            Repositories repositories,
            Tags tags,
            Uploads uploads,
            Keeping keeping,
            Quotas quotas,
            SigningKeys tokenKeys,
            PepperCare peppers,
            AuditChain chain) {}

    Upkeep(Config config, DataDir dataDir, Content content) {
        this.config = config;
        var database = content.database();
        var store = content.store();
        this.quotas = content.quotas();
        this.housekeeping = new Housekeeping(database, store, content.uploads());
        this.scrub = new Scrub(database, store, Duration.ofDays(config.number(Setting.SCRUB_DAYS)));
        this.fsck = new Fsck(database, store, new TagCheck(database, content.repositories(), content.tags()), quotas);
        Task collector = new Collector(database, store, content.keeping(), content.uploads());
        this.gc = new Recurring("gc", collector);
        Task strays = new ReverseSweep(
                database,
                store,
                new ReverseSweep.Times(config.duration(Setting.STRAY_AGE), config.duration(Setting.STRAY_RETENTION)));
        this.sweep = new Recurring("sweep", strays);
        var backups = config.find(Setting.BACKUP_DIR).map(Path::of).orElseGet(dataDir::backups);
        Task backup = new Backup(database, store, AccessWiring.master(config, dataDir), backups, (int)
                config.number(Setting.BACKUP_KEEP));
        this.tasks = new Tasks(
                database,
                Map.ofEntries(
                        Map.entry("gc", collector),
                        Map.entry("sweep", strays),
                        Map.entry("scrub", scrub),
                        Map.entry("fsck", fsck),
                        Map.entry("backup", backup),
                        Map.entry("audit-verify", new AuditCheck(content.chain())),
                        Map.entry("rotate-token-keys", rotation(content.tokenKeys())),
                        Map.entry("replace-token-keys", replacement(content.tokenKeys())),
                        Map.entry("rotate-pepper", content.peppers().rotation()),
                        Map.entry("retire-pepper", content.peppers().retirement())));
        this.stats = new Stats(database);
    }

    private static Task rotation(SigningKeys keys) {
        return run -> {
            if (!run.isDryRun()) {
                keys.rotate();
            }
            run.find("a new key for access tokens", "signs in ten minutes; tokens that are out stay good");
            run.count("keysMade", 1);
        };
    }

    private static Task replacement(SigningKeys keys) {
        return run -> {
            if (!run.isDryRun()) {
                keys.replace();
            }
            run.find("a new key for access tokens", "signs at once, and every token that is out ends");
            run.count("keysMade", 1);
        };
    }

    /// Begins what recurs.
    ///
    /// @param unclean whether the process before this one was killed
    void begin(Timer timer, boolean unclean) {
        timer.now(() -> fsck.start(unclean));
        timer.every(Duration.ofSeconds(2), tasks::heartbeat);
        timer.every(Duration.ofMinutes(1), housekeeping::run);
        timer.every(Duration.ofMinutes(1), quotas::fold);
        timer.every(config.number(Setting.SCRUB_DAYS) > 0 ? Duration.ofMinutes(1) : Duration.ZERO, scrub::step);
        timer.every(config.duration(Setting.GC_INTERVAL), gc);
        timer.every(config.duration(Setting.SWEEP_INTERVAL), sweep);
    }

    /// Asks what runs to end.
    void stop() {
        gc.stop();
        sweep.stop();
        tasks.stop();
    }

    /// What administrators can start.
    Tasks tasks() {
        return tasks;
    }

    Stats stats() {
        return stats;
    }
}
