package dev.sheaf.server.local;

import dev.sheaf.engine.blob.TransferBuffers;
import dev.sheaf.engine.db.DatabaseDamage;
import dev.sheaf.engine.metrics.CallTimes;
import dev.sheaf.engine.work.Task;
import dev.sheaf.engine.work.TaskRun;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.admin.TaskKind;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.model.wire.admin.TaskText;
import dev.sheaf.server.auth.secret.MasterSecret;
import dev.sheaf.server.config.CommandFlags;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.ServerExit;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.maintenance.AdminTask;
import dev.sheaf.server.maintenance.backup.Backup;
import dev.sheaf.server.maintenance.backup.Restore;
import dev.sheaf.server.maintenance.fsck.Fsck;
import dev.sheaf.server.module.FeatureModules;
import dev.sheaf.server.node.DataDir;
import dev.sheaf.server.node.DatabaseSetup;
import dev.sheaf.server.node.LogSetup;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.StoreSetup;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `sheaf admin … --local`: runs tasks without a server, on the database and the content that the settings
/// name. With embedded storage no server may be running; with PostgreSQL servers may.
@Command(
        name = "sheaf admin",
        customSynopsis = {
            "sheaf admin TASK --local [--dry-run] [--json] [--data-dir ./data] [--config FILE] [--SETTING VALUE]...",
            "       sheaf admin backup [DIR] --local [--salvage]",
            "       sheaf admin restore BACKUP [--dry-run] [--without-damaged] [--unsealed] [--data-dir ./data] ...",
            "       sheaf admin upgrade-check",
            "       sheaf admin user create|reset-password|remove-totp --email ADDRESS --local"
        },
        description = {
            "%nWorks directly on the storage. With embedded storage no server may use the data directory.",
            "Without --local a running server does the work: see sheaf admin --help.%n",
            "stats     counts the content of the installation",
            "restore   makes a new installation from BACKUP, the directory of one backup, with the master key of the old one",
            "gc, sweep, scrub, fsck, rescan, backup, audit verify, rotate-token-keys, replace-token-keys,",
            "          rotate-pepper, retire-pepper: as sheaf admin --help explains; backup writes into DIR, or else into backup-dir",
            "user      creates and repairs accounts: see docs/cli-manage.md%n"
        },
        footer = {
            "%nA setting is read as for sheaf serve; sheaf config lists all of them. See docs/backup.md.%n",
            "Exit codes: those of sheaf serve; 1 if the task failed, a check found a fault (fsck, scrub), or",
            "the backup was refused."
        })
public final class LocalAdmin implements CommandFlags.Command {
    private static final Duration SHOWN_EVERY = Duration.ofSeconds(1);
    private static final String RESTORE = "restore";
    private static final String BACKUP = "backup";
    private static final String FSCK = "fsck";

    private final PrintStream out;
    private final PrintStream err;

    @Parameters(arity = "0..*", hidden = true)
    private List<String> operands = new ArrayList<>();

    @Option(names = "--local", hidden = true) // read by the launcher
    private boolean local;

    @Option(
            names = "--dry-run",
            description = "Reports what would be done, or whether a restore would be refused; writes nothing.")
    private boolean dryRun;

    @Option(
            names = {"-y", "--yes"},
            description = "Confirms a task that ends access, such as retire-pepper.")
    private boolean yes;

    @Option(names = "--without-damaged", description = "Restores without damaged objects; they must be pushed again.")
    private boolean withoutDamaged;

    @Option(
            names = "--unsealed",
            description =
                    "Restores a backup without a seal that proves its origin. Use it only for a backup of an earlier"
                            + " version, from a directory to which nobody else could write.")
    private boolean unsealed;

    @Option(
            names = "--salvage",
            description = "Backs up what can be read of a damaged sheaf.db, and names what is lost.")
    private boolean salvage;

    @Option(names = "--json", description = "Prints the result as JSON.")
    private boolean json;

    public LocalAdmin(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /// Runs one task to its end.
    ///
    /// @return [ServerExit#FAILED] if it failed, or looked for faults and found some
    public ServerExit run(List<String> arguments, Map<String, String> environment) throws Config.InvalidException {
        return CommandFlags.run(this, arguments, environment, out);
    }

    @Override
    public void parsed(Map<String, String> settings) {
        if (operands.size() > 1 && operands.getFirst().equals("audit")) {
            operands.set(0, "audit-" + operands.remove(1));
        }
        if (operands.isEmpty()) {
            throw new StartException(ServerExit.USAGE, "name a task: sheaf admin TASK --local; see sheaf admin --help");
        }
        boolean takesFolder = task().equals(BACKUP) || task().equals(RESTORE);
        if (operands.size() > (takesFolder ? 2 : 1)) {
            throw new StartException(ServerExit.USAGE, "unexpected argument " + operands.getLast());
        }
        if (salvage && (!task().equals(BACKUP) || dryRun)) {
            throw new StartException(ServerExit.USAGE, "--salvage goes only with backup, and without --dry-run");
        }
        if (task().equals(BACKUP) && operands.size() == 2) {
            settings.put(Setting.BACKUP_DIR.key(), operands.getLast());
        }
    }

    private String task() {
        return operands.getFirst();
    }

    @Override
    public ServerExit run(Config config) {
        LogSetup.start(config.text(Setting.LOG_LEVEL));
        if (task().equals(RESTORE)) {
            return restore(config);
        }
        if (salvage) {
            return salvage(config);
        }
        try (var node = open(config)) {
            return run(node);
        } catch (ProblemException e) {
            err.println("sheaf: " + e.problem().detail());
            return ServerExit.FAILED;
        } catch (StartException e) {
            if (!task().equals(FSCK) || config.find(Setting.DATABASE_URL).isPresent() || !DatabaseDamage.isCauseOf(e)) {
                throw e;
            }
            return checkUnopened(config, e);
        }
    }

    /// Names the damaged tables of a database that cannot be opened.
    private ServerExit checkUnopened(Config config, StartException why) {
        err.println("sheaf: " + why.getMessage());
        try (var dataDir = DataDir.open(config.dataDir());
                var database = DatabaseSetup.damaged(dataDir)) {
            run(run -> {
                if (Fsck.tables(database, run) == 0) {
                    run.find("the database", "it cannot be opened, although its tables can be read");
                }
            });
        }
        return why.exit();
    }

    private ServerExit run(NodeBase node) {
        FeatureModules modules;
        try {
            modules = new FeatureModules(node);
            modules.org().checkThere();
        } catch (ProblemException e) {
            if (!task().equals(FSCK) || node.database().damage().fault().isEmpty()) {
                throw e;
            }
            err.println("sheaf: too much of the database is damaged to check more than whether its tables can be read");
            return run(run -> Fsck.tables(node.database(), run));
        }
        if (task().equals("stats")) {
            show(modules.maintenance().stats().read());
            return ServerExit.OK;
        }
        var tasks = modules.maintenance().all();
        var found = tasks.find(task())
                .orElseThrow(() -> new StartException(
                        ServerExit.USAGE,
                        "the task " + task() + " does not exist; the tasks are stats, restore, "
                                + String.join(", ", tasks.names())));
        check(found);
        return run(found.task());
    }

    /// @throws StartException if the task ends access and nobody confirmed it
    private void check(AdminTask task) {
        if (task.kind().endsAccess() && !dryRun && !yes) {
            throw new StartException(
                    ServerExit.USAGE,
                    task.kind() + " " + task.kind().ending() + ": "
                            + String.join(" ", task.effects().count())
                            + " To do it, add --yes; --dry-run only reports");
        }
    }

    private ServerExit restore(Config config) {
        if (operands.size() < 2) {
            throw new StartException(
                    ServerExit.USAGE,
                    "sheaf admin restore BACKUP: name the directory of one backup, which contains backup.json");
        }
        var backup = Path.of(operands.getLast());
        if (!Files.isDirectory(backup)) {
            throw new StartException(
                    ServerExit.USAGE, "there is no folder " + backup + ": name the directory of one backup");
        }
        var leniency = new Restore.Leniency(withoutDamaged, unsealed);
        try (var target = RestoreTarget.look(config)) {
            return run(new Restore(target, target.master(), backup, leniency));
        }
    }

    /// Opens nothing but the files: the database may be too damaged for a node.
    private ServerExit salvage(Config config) {
        if (config.find(Setting.DATABASE_URL).isPresent()) {
            throw new StartException(
                    ServerExit.USAGE,
                    "--salvage reads a damaged sheaf.db; what PostgreSQL can read of a damaged database, pg_dump saves");
        }
        try (var dataDir = DataDir.open(config.dataDir());
                var database = DatabaseSetup.damaged(dataDir)) {
            var store = StoreSetup.open(config, dataDir, new TransferBuffers(), CallTimes.OFF);
            var master = config.find(Setting.MASTER_KEY)
                    .map(MasterSecret::parse)
                    .or(dataDir::keptMasterSecret)
                    .orElseThrow(() -> new StartException(
                            ServerExit.FAILED,
                            "there is no master key to seal the backup with: put it at " + dataDir.masterKey()
                                    + ", or give it as SHEAF_MASTER_KEY"));
            var folder = config.find(Setting.BACKUP_DIR).map(Path::of).orElseGet(dataDir::backups);
            return run(Backup.salvage(database, store, master, folder));
        } catch (StartException e) {
            throw explained(config, e);
        }
    }

    private static NodeBase open(Config config) {
        try {
            return NodeBase.open(config, InstantSource.system());
        } catch (StartException e) {
            throw explained(config, e);
        }
    }

    private static StartException explained(Config config, StartException e) {
        return e.exit() == ServerExit.DATA_DIR_LOCKED
                ? new StartException(
                        e.exit(),
                        "a server is using " + config.dataDir()
                                + "; leave out --local to let it do the work, or stop it first")
                : e;
    }

    private void show(Map<String, Object> stats) {
        if (json) {
            out.println(new String(Json.write(stats), StandardCharsets.UTF_8));
        } else {
            stats.forEach((name, value) -> out.printf("%-20s %s%n", name, value));
        }
    }

    private ServerExit run(Task task) {
        var run = new TaskRun(dryRun);
        var done = new CountDownLatch(1);
        var display = Thread.ofVirtual().start(() -> display(task(), run, done));
        boolean finished = false;
        try {
            task.run(run);
            finished = true;
        } catch (ProblemException e) {
            err.println("sheaf: " + e.problem().detail());
            return ServerExit.FAILED;
        } finally {
            done.countDown();
            join(display);
            report(run.report(), finished);
        }
        boolean isCheck = TaskKind.find(task()).filter(TaskKind::isCheck).isPresent();
        return isCheck && !run.report().findings().isEmpty() ? ServerExit.FAILED : ServerExit.OK;
    }

    private void display(String task, TaskRun run, CountDownLatch done) {
        try {
            while (!done.await(SHOWN_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                var report = run.report();
                err.println("sheaf: " + task + ": " + TaskText.progress(report.unit(), report.done(), report.total()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void report(TaskRun.Report report, boolean finished) {
        if (json) {
            out.println(new String(Json.write(report), StandardCharsets.UTF_8));
            return;
        }
        var findings = report.findings().stream()
                .map(found -> new TaskRecord.Finding(found.subject(), found.reason()))
                .toList();
        String heading = TaskText.heading(task(), dryRun, finished, findings.size());
        TaskText.result(heading, report.counts(), findings, report.findingsOmitted())
                .forEach(out::println);
    }
}
