package dev.sheaf.server.local;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.TaskRecord;
import dev.sheaf.model.wire.TaskText;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.Exit;
import dev.sheaf.server.config.Flags;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.config.StartException;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.maintenance.backup.Restore;
import dev.sheaf.server.module.Modules;
import dev.sheaf.server.node.Logging;
import dev.sheaf.server.node.Node;
import dev.sheaf.server.work.Task;
import dev.sheaf.server.work.TaskRun;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// `sheaf admin … --local`: upkeep without a server, on the database and the content that the settings name. On
/// embedded storage no server may be running; on PostgreSQL servers may.
public final class LocalAdmin {
    private static final Duration SHOWN_EVERY = Duration.ofSeconds(1);
    private static final String RESTORE = "restore";

    private final PrintStream out;
    private final PrintStream err;

    public LocalAdmin(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /// What was asked for.
    ///
    /// @param folder of backups, or of the one to restore
    private record Request(String task, @Nullable String folder, Set<String> flags, List<String> settings) {
        private static final Set<String> FLAGS =
                Set.of("--local", "--dry-run", "--json", "--without-damaged", "--unsealed");

        boolean json() {
            return flags.contains("--json");
        }

        boolean dryRun() {
            return flags.contains("--dry-run");
        }

        static Request parse(List<String> arguments) {
            var operands = new ArrayList<String>();
            var settings = new ArrayList<String>();
            var flags = new HashSet<String>();
            for (int i = 0; i < arguments.size(); i++) {
                String argument = arguments.get(i);
                if (!argument.startsWith("--")) {
                    operands.add(argument);
                } else if (FLAGS.contains(argument)) {
                    flags.add(argument);
                } else {
                    settings.add(argument);
                    if (!argument.contains("=") && i + 1 < arguments.size()) {
                        settings.add(arguments.get(++i));
                    }
                }
            }
            if (operands.isEmpty()) {
                throw new StartException(Exit.USAGE, "sheaf admin TASK --local: which task? see sheaf admin --help");
            }
            if (operands.size() > 1 && operands.getFirst().equals("audit")) {
                operands.set(0, "audit-" + operands.remove(1));
            }
            String task = operands.getFirst();
            boolean takesFolder = task.equals("backup") || task.equals(RESTORE);
            if (operands.size() > (takesFolder ? 2 : 1)) {
                throw new StartException(Exit.USAGE, "unexpected argument " + operands.getLast());
            }
            String folder = operands.size() == 2 ? operands.getLast() : null;
            if (task.equals("backup") && folder != null) {
                settings.addAll(List.of("--backup-dir", folder));
            }
            return new Request(task, folder, flags, settings);
        }
    }

    /// Runs one task to its end.
    ///
    /// @return [Exit#FAILED] where it failed
    public Exit run(List<String> arguments, Map<String, String> environment) throws Config.InvalidException {
        var request = Request.parse(arguments);
        var config = Config.load(Flags.read(request.settings()), environment);
        Logging.start(config.text(Setting.LOG_LEVEL));
        if (request.task().equals(RESTORE)) {
            return restore(request, config);
        }
        try (var node = open(config)) {
            var modules = new Modules(node);
            modules.org().checkThere();
            if (request.task().equals("stats")) {
                show(request, modules.maintenance().stats().read());
                return Exit.OK;
            }
            var tasks = modules.maintenance().all();
            Task task = tasks.find(request.task())
                    .orElseThrow(() -> new StartException(
                            Exit.USAGE,
                            "there is no task " + request.task() + "; there are stats, restore, "
                                    + String.join(", ", tasks.names())));
            return run(request, task);
        }
    }

    private Exit restore(Request request, Config config) {
        String folder = request.folder();
        if (folder == null) {
            throw new StartException(
                    Exit.USAGE, "sheaf admin restore BACKUP: name the folder of one backup, the one with backup.json");
        }
        var leniency = new Restore.Leniency(
                request.flags().contains("--without-damaged"), request.flags().contains("--unsealed"));
        try (var target = RestoreTarget.look(config)) {
            return run(request, new Restore(target, target.master(), Path.of(folder), leniency));
        }
    }

    private static Node open(Config config) {
        try {
            return Node.open(config, InstantSource.system());
        } catch (StartException e) {
            throw e.exit() == Exit.DATA_DIR_LOCKED
                    ? new StartException(
                            e.exit(),
                            "a server is using " + config.dataDir()
                                    + "; leave out --local to let it do the work, or stop it first")
                    : e;
        }
    }

    private void show(Request request, Map<String, Object> stats) {
        if (request.json()) {
            out.println(new String(Json.write(stats), StandardCharsets.UTF_8));
        } else {
            stats.forEach((name, value) -> out.printf("%-20s %s%n", name, value));
        }
    }

    private Exit run(Request request, Task task) {
        var run = new TaskRun(request.dryRun());
        var done = new CountDownLatch(1);
        var display = Thread.ofVirtual().start(() -> display(request.task(), run, done));
        boolean finished = false;
        try {
            task.run(run);
            finished = true;
        } catch (ProblemException e) {
            err.println("sheaf: " + e.problem().detail());
            return Exit.FAILED;
        } finally {
            done.countDown();
            join(display);
            report(request, run.report(), finished);
        }
        return Exit.OK;
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

    private void report(Request request, TaskRun.Report report, boolean finished) {
        if (request.json()) {
            out.println(new String(Json.write(report), StandardCharsets.UTF_8));
            return;
        }
        var findings = report.findings().stream()
                .map(found -> new TaskRecord.Finding(found.subject(), found.reason()))
                .toList();
        String heading = TaskText.heading(request.task(), request.dryRun(), finished);
        TaskText.result(heading, report.counts(), findings, report.findingsOmitted())
                .forEach(out::println);
    }
}
