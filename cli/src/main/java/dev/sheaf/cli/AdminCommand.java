package dev.sheaf.cli;

import dev.sheaf.client.SheafClient;
import dev.sheaf.client.SheafException;
import dev.sheaf.client.Upkeep;
import dev.sheaf.model.wire.TaskRecord;
import dev.sheaf.model.wire.TaskText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
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

        @Mixin
        private final Output output;

        Run(String task, Connection connection) {
            this.task = task;
            this.connection = connection;
            this.output = connection.output();
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                var run = start(client, task, dryRun, output);
                if (noWait) {
                    output.show(run, shell -> shell.out().println(run.id()), () -> List.of(run.id()));
                    return ExitCode.OK.status();
                }
                return show(watch(client.upkeep(), run, output), connection.shell(), output);
            }
        }

        /// Starts a task, waits for it, and prints what it came to.
        static int run(SheafClient client, String task, Shell shell, Output output) {
            var run = start(client, task, false, output);
            return show(watch(client.upkeep(), run, output), shell, output);
        }

        private static TaskRecord start(SheafClient client, String task, boolean dryRun, Output output) {
            var run = client.upkeep().start(task, dryRun);
            output.say("run " + run.id() + "; it goes on if you leave: sheaf admin tasks shows it");
            return run;
        }

        private static TaskRecord watch(Upkeep upkeep, TaskRecord begun, Output output) {
            var run = begun;
            String shown = "";
            while (run.state().equals(RUNNING)) {
                pause();
                run = upkeep.get(run.id());
                String progress = TaskText.progress(run.unit(), run.done(), run.total());
                if (run.done() > 0 && !progress.equals(shown)) {
                    output.say(Text.showable(begun.task() + ": " + progress));
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

        private static int show(TaskRecord run, Shell shell, Output output) {
            output.show(
                    run,
                    to ->
                            TaskText.result(
                                            run.task(),
                                            run.dryRun(),
                                            run.counts(),
                                            run.findings(),
                                            run.findingsOmitted())
                                    .stream()
                                    .map(Text::showable)
                                    .forEach(to.out()::println),
                    () -> List.of(run.id()));
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

        @Mixin
        private final Output output;

        Stats(Connection connection) {
            this.connection = connection;
            this.output = connection.output();
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                var stats = client.upkeep().stats();
                output.show(
                        stats,
                        shell -> stats.forEach(
                                (name, value) -> shell.out().printf("%-20s %s%n", Text.showable(name), value)),
                        stats::values);
            }
            return ExitCode.OK.status();
        }
    }

    @Command(name = "tasks", description = "Lists the latest runs of tasks, the newest first.")
    static final class ListAll implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final Output output;

        ListAll(Connection connection) {
            this.connection = connection;
            this.output = connection.output();
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                var runs = client.upkeep().latest();
                output.show(
                        runs,
                        shell -> print(runs, shell),
                        () -> runs.stream().map(TaskRecord::id).toList());
            }
            return ExitCode.OK.status();
        }

        private static void print(List<TaskRecord> runs, Shell shell) {
            var table = new Table("ID", "TASK", "STATE", "STARTED", "DONE");
            runs.forEach(run -> table.row(
                    run.id(),
                    run.task(),
                    run.state(),
                    run.startedAt().truncatedTo(ChronoUnit.SECONDS),
                    TaskText.progress(run.unit(), run.done(), run.total())));
            table.print(shell, "no task has run yet");
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
