package dev.sheaf.cli;

import dev.sheaf.client.Json;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.SheafException;
import dev.sheaf.client.Upkeep;
import dev.sheaf.model.wire.TaskRecord;
import dev.sheaf.model.wire.TaskText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Groups the commands below.
@Command(
        name = "admin",
        description = {
            "Looks after an installation; needs an admin key of the organization that it began with.",
            "With --local, TASK runs on the storage itself, without a server: sheaf admin TASK --local "
                    + "[--data-dir DIR]."
        },
        synopsisSubcommandLabel = "COMMAND")
final class AdminCommand {
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    private static final String RUNNING = "running";

    /// Starts one task and waits for it.
    @Command
    static final class Run implements Callable<Integer> {
        private final String task;

        @Mixin
        private final Connection connection;

        @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
        private boolean dryRun;

        @Option(names = "--no-wait", description = "Print the id of the run and go; `sheaf admin tasks` shows it.")
        private boolean noWait;

        @Option(names = "--json", description = "Print the run as JSON.")
        private boolean json;

        Run(String task, Connection connection) {
            this.task = task;
            this.connection = connection;
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                var run = start(client, task, dryRun, connection.shell());
                if (noWait) {
                    connection.shell().out().println(run.id());
                    return ExitCode.OK.status();
                }
                return show(watch(client.upkeep(), run, connection.shell()), connection.shell(), json);
            }
        }

        /// Starts a task, waits for it, and prints what it came to.
        static int run(SheafClient client, String task, Shell shell, boolean json) {
            var run = start(client, task, false, shell);
            return show(watch(client.upkeep(), run, shell), shell, json);
        }

        private static TaskRecord start(SheafClient client, String task, boolean dryRun, Shell shell) {
            var run = client.upkeep().start(task, dryRun);
            shell.say("run " + run.id() + "; it goes on if you leave: sheaf admin tasks shows it");
            return run;
        }

        private static TaskRecord watch(Upkeep upkeep, TaskRecord begun, Shell shell) {
            var run = begun;
            String shown = "";
            while (run.state().equals(RUNNING)) {
                pause();
                run = upkeep.get(run.id());
                String progress = TaskText.progress(run.unit(), run.done(), run.total());
                if (run.done() > 0 && !progress.equals(shown)) {
                    shell.say(Text.showable(begun.task() + ": " + progress));
                    shown = progress;
                }
            }
            return run;
        }

        private static void pause() {
            try {
                Thread.sleep(LOOK_EVERY);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SheafException.Cancelled();
            }
        }

        private static int show(TaskRecord run, Shell shell, boolean json) {
            var out = shell.out();
            if (json) {
                out.println(Json.pretty(run));
            } else {
                TaskText.result(run.task(), run.dryRun(), run.counts(), run.findings(), run.findingsOmitted()).stream()
                        .map(Text::showable)
                        .forEach(out::println);
            }
            if (run.state().equals("succeeded")) {
                return ExitCode.OK.status();
            }
            String why = run.error() == null ? "" : ": " + Text.showable(run.error());
            shell.say("sheaf: the task " + run.state() + why);
            return ExitCode.GENERAL.status();
        }
    }

    @Command(name = "stats", description = "Counts what the installation holds.")
    static final class Stats implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Option(names = "--json", description = "Print the counts as JSON.")
        private boolean json;

        Stats(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                var stats = client.upkeep().stats();
                var out = connection.shell().out();
                if (json) {
                    out.println(Json.pretty(stats));
                } else {
                    stats.forEach((name, value) -> out.printf("%-20s %s%n", Text.showable(name), value));
                }
            }
            return ExitCode.OK.status();
        }
    }

    @Command(name = "tasks", description = "Lists the latest runs of tasks, the newest first.")
    static final class ListAll implements Callable<Integer> {
        private static final String ROW = "%-36s  %-18s  %-10s  %-20s  %s%n";

        @Mixin
        private final Connection connection;

        @Option(names = "--json", description = "Print the runs as JSON.")
        private boolean json;

        ListAll(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                var runs = client.upkeep().latest();
                var out = connection.shell().out();
                if (json) {
                    out.println(Json.pretty(runs));
                } else {
                    out.printf(ROW, "ID", "TASK", "STATE", "STARTED", "DONE");
                    runs.forEach(run -> out.printf(
                            ROW,
                            run.id(),
                            Text.showable(run.task()),
                            Text.showable(run.state()),
                            run.startedAt().truncatedTo(ChronoUnit.SECONDS),
                            Text.showable(TaskText.progress(run.unit(), run.done(), run.total()))));
                }
            }
            return ExitCode.OK.status();
        }
    }

    @Command(name = "cancel", description = "Stops a run, with nothing half done.")
    static final class Cancel implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Parameters(paramLabel = "ID", description = "Id of the run, as tasks shows it.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private UUID id;

        Cancel(Connection connection) {
            this.connection = connection;
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                var run = client.upkeep().cancel(id);
                connection
                        .shell()
                        .say(
                                run.state().equals(RUNNING)
                                        ? "asked the run " + id + " to stop"
                                        : "the run " + id + " is over: " + Text.showable(run.state()));
            }
            return ExitCode.OK.status();
        }
    }
}
