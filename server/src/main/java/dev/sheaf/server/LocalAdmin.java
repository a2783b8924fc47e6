package dev.sheaf.server;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.TaskRecord;
import dev.sheaf.model.wire.TaskText;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.http.Json;
import dev.sheaf.server.task.Task;
import dev.sheaf.server.task.TaskRun;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// `sheaf admin … --local`: upkeep without a server, on the database and the content that the settings name. On
/// embedded storage no server may be running; on PostgreSQL servers may.
final class LocalAdmin {
    private static final Duration SHOWN_EVERY = Duration.ofSeconds(1);

    private final PrintStream out;
    private final PrintStream err;

    LocalAdmin(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /// What was asked for.
    ///
    /// @param operand the folder of a backup
    private record Request(String task, @Nullable String operand, boolean dryRun, boolean json, List<String> settings) {
        static Request parse(List<String> arguments) {
            var operands = new ArrayList<String>();
            var settings = new ArrayList<String>();
            for (int i = 0; i < arguments.size(); i++) {
                String argument = arguments.get(i);
                if (!argument.startsWith("--")) {
                    operands.add(argument);
                } else if (!List.of("--local", "--dry-run", "--json").contains(argument)) {
                    settings.add(argument);
                    if (!argument.contains("=") && i + 1 < arguments.size()) {
                        settings.add(arguments.get(++i));
                    }
                }
            }
            if (operands.isEmpty() || operands.size() > 2) {
                throw new StartException(Exit.USAGE, "sheaf admin TASK --local: which task? see sheaf admin --help");
            }
            return new Request(
                    operands.getFirst(),
                    operands.size() == 2 ? operands.getLast() : null,
                    arguments.contains("--dry-run"),
                    arguments.contains("--json"),
                    settings);
        }
    }

    /// Runs one task to its end.
    ///
    /// @return [Exit#FAILED] where it failed
    Exit run(List<String> arguments, Map<String, String> environment) throws Config.InvalidException {
        var request = Request.parse(arguments);
        var config = Config.load(Main.flags(request.settings()), environment);
        Logging.start(config.text(Setting.LOG_LEVEL));
        try (var dataDir = open(config);
                Database database = Engine.open(config, dataDir, InstantSource.system())) {
            var wiring = new Wiring(config, dataDir, database, InstantSource.system());
            if (request.task().equals("stats")) {
                show(request, wiring.stats().read());
                return Exit.OK;
            }
            Task task = wiring.tasks()
                    .find(request.task())
                    .orElseThrow(() -> new StartException(
                            Exit.USAGE,
                            "there is no task " + request.task() + "; there are stats, "
                                    + String.join(", ", wiring.tasks().names())));
            return run(request, task);
        }
    }

    private static DataDir open(Config config) {
        try {
            return DataDir.open(config.dataDir());
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
        try {
            task.run(run);
        } catch (ProblemException e) {
            err.println("sheaf: " + e.problem().detail());
            return Exit.FAILED;
        } finally {
            done.countDown();
            join(display);
            report(request, run.report());
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

    private void report(Request request, TaskRun.Report report) {
        if (request.json()) {
            out.println(new String(Json.write(report), StandardCharsets.UTF_8));
            return;
        }
        var findings = report.findings().stream()
                .map(found -> new TaskRecord.Finding(found.subject(), found.reason()))
                .toList();
        TaskText.result(request.task(), request.dryRun(), report.counts(), findings, report.findingsOmitted())
                .forEach(out::println);
    }
}
