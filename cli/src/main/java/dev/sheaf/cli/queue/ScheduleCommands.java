package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.EnabledOption;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.InputText;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.queue.Schedules;
import dev.sheaf.model.wire.queue.Schedule;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.UnmatchedArgumentException;

/// The commands of `sheaf queue schedule`.
final class ScheduleCommands {
    private static final Table<Schedule> TABLE = new Table<Schedule>()
            .column("ID", Schedule::id)
            .column("CRON", Schedule::cron)
            .column("ZONE", Schedule::timeZone)
            .column("NEXT", schedule -> schedule.enabled() ? schedule.nextAt() : disabled(schedule))
            .column("NAME", Schedule::name);

    private ScheduleCommands() {}

    static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(connections, "schedule", "Manages schedules, which create jobs at set times.")
                .add(ScheduleCommands::list)
                .add(ScheduleCommands::add)
                .add(ScheduleCommands::edit)
                .add(ScheduleCommands::delete);
    }

    /// The options about the jobs to create, and their times.
    private record JobOptions(OptionalValue<String> zone, OptionalValue<String> input, OptionalValue<String> type) {
        static JobOptions of(CliCommand command) {
            return new JobOptions(
                    command.option(
                            "--zone", "ZONE", "The time zone of its times, such as Europe/Zurich. Default: UTC."),
                    command.option("--input", "JSON", "The input of its jobs."),
                    command.option("--type", "TYPE", "The type of its jobs."));
        }

        Schedules.Settings with(@Nullable String name, @Nullable String cron, @Nullable Boolean enabled) {
            return new Schedules.Settings(
                    name, cron, zone.get(), InputText.json(input.get(), "--input"), type.get(), enabled);
        }
    }

    private static String disabled(Schedule schedule) {
        return schedule.disabledReason() == null ? "disabled" : "disabled: " + schedule.disabledReason();
    }

    private static RequiredValue<String> schedule(CliCommand command) {
        return command.argument("SCHEDULE", "Name or id of the schedule.");
    }

    /// Returns the full id, which may take a request.
    private static UUID id(RequiredValue<String> typed, Schedules schedules) {
        return IdOrEnd.named(typed.get(), "schedule", schedules::list, Schedule::id, Schedule::name);
    }

    private static CliCommand list(Connection connection) {
        var command = QueueCommands.queues(connection, "list", "Lists the schedules of a queue.")
                .alias("ls");
        var queue = QueueCommands.queue(command);
        return command.run(queues -> command.output.list(
                queues.schedules(queue.get()).list(),
                Schedule::id,
                TABLE,
                "the queue has no schedules; to add one: sheaf queue schedule add " + queue + " NAME '0 7 * * *'"));
    }

    private static CliCommand add(Connection connection) {
        var command = QueueCommands.queues(
                        connection,
                        "add",
                        "Adds a schedule, which creates a job at set times. If the server was down at some of them, it "
                                + "creates one job for all of these.")
                .footer("", "Example:", "  sheaf queue schedule add checks nightly '30 2 * * *' --zone Europe/Zurich")
                .hint(mistake -> mistake instanceof UnmatchedArgumentException
                        ? Optional.of("put the five fields in quotes: '30 2 * * *'")
                        : Optional.empty());
        var queue = QueueCommands.queue(command);
        var name = command.argument("NAME", "Its name.");
        var cron = command.argument("CRON", "Minute, hour, day of month, month and day of week, in quotes.");
        var jobs = JobOptions.of(command);
        return command.change(
                queues -> queues.schedules(queue.get()).create(jobs.with(name.get(), cron.get(), null)),
                Schedule::id,
                made -> "created the schedule " + made.name() + "; the first job: " + TextFormat.time(made.nextAt()));
    }

    private static CliCommand edit(Connection connection) {
        var command =
                QueueCommands.queues(connection, "edit", "Changes a schedule. Settings that you do not name stay.");
        var queue = QueueCommands.queue(command);
        var schedule = schedule(command);
        var name = command.option("--name", "NAME", "Its name.");
        var cron = command.option("--cron", "CRON", "Its times, in quotes.");
        var jobs = JobOptions.of(command);
        var enabled = EnabledOption.of(command, "Create jobs from now on.", "Create no jobs.");
        Supplier<Schedules.Settings> changes = () -> jobs.with(name.get(), cron.get(), enabled.get());
        return command.check(() -> {
                    enabled.check();
                    command.refuse(changes.get().isEmpty(), "say what to change: --cron CRON, for example");
                })
                .change(
                        queues -> {
                            var schedules = queues.schedules(queue.get());
                            return schedules.edit(id(schedule, schedules), changes.get());
                        },
                        Schedule::id,
                        changed -> "changed the schedule " + changed.name() + "; the next job: "
                                + TextFormat.time(changed.nextAt()));
    }

    private static CliCommand delete(Connection connection) {
        var command = QueueCommands.queues(connection, "delete", "Deletes a schedule. The jobs that it created stay.")
                .alias("rm");
        var queue = QueueCommands.queue(command);
        var schedule = schedule(command);
        return command.confirm(() -> "delete the schedule " + schedule + " of " + queue + command.at())
                .remove(
                        queues -> id(schedule, queues.schedules(queue.get())),
                        (queues, id) -> queues.schedules(queue.get()).delete(id),
                        _ -> "deleted the schedule " + schedule);
    }
}
