package dev.sheaf.cli.admin;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Confirmation;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.PollingPause;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.InstallationAdmin;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.wire.admin.TaskKind;
import dev.sheaf.model.wire.admin.TaskRecord;
import dev.sheaf.model.wire.admin.TaskRequest;
import dev.sheaf.model.wire.admin.TaskText;
import java.util.List;

/// `sheaf admin TASK`: a command for each task of an installation, and commands about the runs of tasks.
final class TaskCommands {
    private static final String RUNNING = "running";

    /// The commands in the order of the help: what keeps the content, then keys, then the backup. `audit-verify` is
    /// `sheaf admin audit verify`.
    static final List<TaskKind> ORDER = List.of(
            TaskKind.GC,
            TaskKind.SWEEP,
            TaskKind.SCRUB,
            TaskKind.FSCK,
            TaskKind.RESCAN,
            TaskKind.ROTATE_TOKEN_KEYS,
            TaskKind.REPLACE_TOKEN_KEYS,
            TaskKind.ROTATE_PEPPER,
            TaskKind.RETIRE_PEPPER,
            TaskKind.BACKUP);

    private TaskCommands() {}

    private static ResourceCommand<InstallationAdmin> upkeep(Connection connection, String name, String description) {
        return ResourceCommand.of(connection, SheafClient::upkeep, name, description);
    }

    /// Starts one task and waits for it. A task that ends access shows what would break, counted by the registry, and
    /// asks for the name of the task.
    static CliCommand run(TaskKind kind, Connection connection) {
        var command = upkeep(
                connection,
                kind.toString(),
                kind == TaskKind.BACKUP ? kind.purpose() + " With --local: into [DIR]." : kind.purpose());
        var dryRun = command.flag("--dry-run", "Show what would be done, and do nothing.");
        var noWait = command.flag(
                "--no-wait", "Print the id of the run and do not wait for its end; sheaf admin tasks shows it.");
        var confirmation = kind.endsAccess() ? new Confirmation(command, connection.shell()) : null;
        var output = command.output;
        return command.ready(() -> confirmation == null
                        || dryRun.isGiven()
                        || confirmation.possible(kind + " " + kind.ending() + command.at() + "."))
                .exit(upkeep -> {
                    boolean ends = kind.endsAccess() && !dryRun.isGiven();
                    if (ends
                            && confirmation != null
                            && !confirmation.isGiven()
                            && !isTyped(kind, command, upkeep, confirmation)) {
                        return ExitCode.OK;
                    }
                    var run = start(
                            new TaskRequest(kind.toString(), dryRun.isGiven(), ends ? kind.toString() : null),
                            upkeep,
                            output);
                    if (noWait.isGiven()) {
                        output.show(run, shell -> shell.out().println(run.id()), () -> List.of(run.id()));
                        return ExitCode.OK;
                    }
                    return show(watch(upkeep, run, output), output);
                });
    }

    private static boolean isTyped(
            TaskKind kind,
            ResourceCommand<InstallationAdmin> command,
            InstallationAdmin upkeep,
            Confirmation confirmation) {
        upkeep.tasks().stream()
                .filter(task -> task.task().equals(kind.toString()))
                .flatMap(task -> task.effects().stream())
                .forEach(effect -> command.output.say(TextFormat.showable(effect)));
        return confirmation.typed(kind + " " + kind.ending() + command.at(), kind.toString());
    }

    /// Starts a task, waits for it, and prints its result.
    static ExitCode runAndWait(TaskKind kind, InstallationAdmin upkeep, Output output) {
        return show(
                watch(upkeep, start(new TaskRequest(kind.toString(), false, null), upkeep, output), output), output);
    }

    private static TaskRecord start(TaskRequest task, InstallationAdmin upkeep, Output output) {
        var run = upkeep.start(task.task(), task.dryRun(), task.confirm());
        output.say("run " + run.id() + "; it continues if you stop this command: sheaf admin tasks shows it");
        return run;
    }

    private static TaskRecord watch(InstallationAdmin upkeep, TaskRecord begun, Output output) {
        var run = begun;
        String shown = "";
        var looks = new PollingPause();
        while (run.state().equals(RUNNING)) {
            looks.await();
            run = upkeep.get(run.id());
            String progress = progress(run);
            if (run.done() > 0 && !progress.equals(shown)) {
                output.say(TextFormat.showable(begun.task() + ": " + progress));
                shown = progress;
            }
        }
        return run;
    }

    private static String progress(TaskRecord run) {
        return TaskText.progress(run.unit(), run.done(), run.total());
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
                        .map(TextFormat::showable)
                        .forEach(to.out()::println),
                () -> List.of(run.id()));
        if (succeeded) {
            boolean isCheck =
                    TaskKind.find(run.task()).filter(TaskKind::isCheck).isPresent();
            return isCheck && !run.findings().isEmpty() ? ExitCode.GENERAL : ExitCode.OK;
        }
        output.fail("the task " + run.state() + (run.error() == null ? "" : ": " + run.error()));
        return ExitCode.GENERAL;
    }

    static CliCommand list(Connection connection) {
        return upkeep(connection, "tasks", "Lists the latest runs of tasks, the newest first.")
                .list(
                        InstallationAdmin::latest,
                        TaskRecord::id,
                        new Table<TaskRecord>()
                                .column("ID", TaskRecord::id)
                                .column("TASK", TaskRecord::task)
                                .column("STATE", run -> run.state() + (run.dryRun() ? ", dry run" : ""))
                                .column("STARTED", TaskRecord::startedAt)
                                .column("DONE", TaskCommands::progress),
                        "no task has run yet");
    }

    static CliCommand cancel(Connection connection) {
        var command = upkeep(connection, "cancel", "Stops a run of a task. Nothing stays half done.");
        var id = command.argument(IdOrEnd.class, "ID", "Id of the run, as shown by sheaf admin tasks.");
        return command.change(
                upkeep -> upkeep.cancel(id.get().among("run", upkeep::latest, TaskRecord::id)),
                TaskRecord::id,
                run -> run.state().equals(RUNNING)
                        ? "asked the run " + run.id() + " to stop"
                        : "the run " + run.id() + " is over: " + run.state());
    }
}
