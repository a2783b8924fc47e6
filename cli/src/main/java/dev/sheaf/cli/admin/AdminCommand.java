package dev.sheaf.cli.admin;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.Looks;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.Upkeep;
import dev.sheaf.model.wire.admin.TaskKind;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.model.wire.admin.TaskRequest;
import dev.sheaf.model.wire.admin.TaskText;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Groups the commands below.
@Command(
        name = "admin",
        description = {
            "Maintains an installation. Needs an admin key of its first organization.",
            "With --local, TASK runs on the storage itself, without a server: sheaf admin TASK --local "
                    + "[--data-dir DIR]."
        },
        synopsisSubcommandLabel = "COMMAND")
public final class AdminCommand {
    private static final String RUNNING = "running";

    /// Starts one task and waits for it.
    @Command
    public static class Run extends RegistryCommand {
        private final String task;

        @Option(names = "--dry-run", description = "Show what would be done, and do nothing.")
        boolean dryRun;

        @Option(
                names = "--no-wait",
                description = "Print the id of the run and do not wait for its end; sheaf admin tasks shows it.")
        private boolean noWait;

        public Run(String task, Connection connection) {
            super(connection);
            this.task = task;
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var run = start(client, new TaskRequest(task, dryRun, confirmed() ? task : null), output);
            if (noWait) {
                output.show(run, shell -> shell.out().println(run.id()), () -> List.of(run.id()));
                return ExitCode.OK;
            }
            return show(watch(client.upkeep(), run, output), output);
        }

        /// Returns whether the user confirmed a task that ends access.
        protected boolean confirmed() {
            return false;
        }

        /// Starts a task, waits for it, and prints its result.
        static ExitCode run(SheafClient client, String task, Output output) {
            var run = start(client, new TaskRequest(task, false, null), output);
            return show(watch(client.upkeep(), run, output), output);
        }

        private static TaskRecord start(SheafClient client, TaskRequest task, Output output) {
            var run = client.upkeep().start(task.task(), task.dryRun(), task.confirm());
            output.say("run " + run.id() + "; it continues if you stop this command: sheaf admin tasks shows it");
            return run;
        }

        private static TaskRecord watch(Upkeep upkeep, TaskRecord begun, Output output) {
            var run = begun;
            String shown = "";
            var looks = new Looks();
            while (run.state().equals(RUNNING)) {
                looks.await();
                run = upkeep.get(run.id());
                String progress = TaskText.progress(run.unit(), run.done(), run.total());
                if (run.done() > 0 && !progress.equals(shown)) {
                    output.say(Text.showable(begun.task() + ": " + progress));
                    shown = progress;
                }
            }
            return run;
        }

        private static ExitCode show(TaskRecord run, Output output) {
            boolean succeeded = run.state().equals("succeeded");
            output.show(
                    run,
                    to -> TaskText.result(
                                    TaskText.heading(
                                            run.task(),
                                            run.dryRun(),
                                            succeeded,
                                            run.findings().size()),
                                    run.counts(),
                                    run.findings(),
                                    run.findingsOmitted())
                            .stream()
                            .map(Text::showable)
                            .forEach(to.out()::println),
                    () -> List.of(run.id()));
            if (succeeded) {
                return ExitCode.OK;
            }
            output.fail("the task " + run.state() + (run.error() == null ? "" : ": " + run.error()));
            return ExitCode.GENERAL;
        }
    }

    /// A task that ends access. It shows what would break, counted by the registry, and asks for the name of the task.
    public static final class Ending extends Run {
        private final TaskKind kind;

        @Mixin
        private final Confirmation confirmation;

        public Ending(TaskKind kind, Connection connection) {
            super(kind.toString(), connection);
            this.kind = kind;
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            return dryRun || confirmation.possible(kind + " " + kind.ending() + " at " + connection.url() + ".");
        }

        @Override
        protected ExitCode run(SheafClient client) {
            if (!dryRun && !confirmation.isGiven()) {
                client.upkeep().tasks().stream()
                        .filter(task -> task.task().equals(kind.toString()))
                        .flatMap(task -> task.effects().stream())
                        .forEach(effect -> output.say(Text.showable(effect)));
                if (!confirmation.typed(kind + " " + kind.ending() + " at " + connection.url(), kind.toString())) {
                    return ExitCode.OK;
                }
            }
            return super.run(client);
        }

        @Override
        protected boolean confirmed() {
            return !dryRun;
        }
    }

    @Command(name = "stats", description = "Shows what the installation contains, in numbers.")
    public static final class Stats extends RegistryCommand {
        public Stats(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var stats = client.upkeep().stats();
            var summary = new Summary();
            stats.forEach(summary::line);
            output.show(stats, summary::print, stats::values);
            return ExitCode.OK;
        }
    }

    @Command(name = "tasks", description = "Lists the latest runs of tasks, the newest first.")
    public static final class ListAll extends RegistryCommand {
        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var runs = client.upkeep().latest();
            var table = new Table("ID", "TASK", "STATE", "STARTED", "DONE");
            runs.forEach(run -> table.row(
                    run.id(),
                    run.task(),
                    run.state(),
                    Text.time(run.startedAt()),
                    TaskText.progress(run.unit(), run.done(), run.total())));
            output.list(runs, TaskRecord::id, table, "no task has run yet");
            return ExitCode.OK;
        }
    }

    @Command(name = "cancel", description = "Stops a run of a task. Nothing stays half done.")
    public static final class Cancel extends RegistryCommand {
        @Parameters(paramLabel = "ID", description = "Id of the run, as shown by sheaf admin tasks.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private IdOrEnd id;

        public Cancel(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var whole = id.among("run", client.upkeep()::latest, TaskRecord::id);
            var run = client.upkeep().cancel(whole);
            output.done(
                    run,
                    whole,
                    run.state().equals(RUNNING)
                            ? "asked the run " + whole + " to stop"
                            : "the run " + whole + " is over: " + run.state());
            return ExitCode.OK;
        }
    }
}
