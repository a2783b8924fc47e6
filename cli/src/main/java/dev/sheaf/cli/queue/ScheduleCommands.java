package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.Removed;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.queue.Schedules;
import dev.sheaf.model.wire.queue.Schedule;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The commands of `sheaf queue schedule`.
public final class ScheduleCommands {
    private ScheduleCommands() {}

    @Command(
            name = "schedule",
            description = "Manages schedules, which create jobs at set times.",
            synopsisSubcommandLabel = "COMMAND")
    private record Group() {}

    static CommandLine of(Supplier<Connection> connections) {
        return new CommandLine(new Group())
                .addSubcommand(new ListAll(connections.get()))
                .addSubcommand(new Add(connections.get()))
                .addSubcommand(new Edit(connections.get()))
                .addSubcommand(new Delete(connections.get()));
    }

    /// The options about the jobs to create, and their times.
    static final class Jobs {
        @Option(
                names = "--zone",
                paramLabel = "ZONE",
                description = "The time zone of its times, such as Europe/Zurich. Default: UTC.")
        private @Nullable String zone;

        @Option(names = "--input", paramLabel = "JSON", description = "The input of its jobs.")
        private @Nullable String input;

        @Option(names = "--type", paramLabel = "TYPE", description = "The type of its jobs.")
        private @Nullable String type;

        private Schedules.Settings with(@Nullable String name, @Nullable String cron, @Nullable Boolean enabled) {
            return new Schedules.Settings(name, cron, zone, InputText.json(input, "--input"), type, enabled);
        }
    }

    /// A command about one schedule.
    abstract static class OfSchedule extends QueueCommand.OfQueue {
        @Parameters(index = "1", paramLabel = "SCHEDULE", description = "Name or id of the schedule.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        String schedule;

        OfSchedule(Connection connection) {
            super(connection);
        }

        Schedules schedules(SheafClient client) {
            return queues(client).schedules(queue);
        }

        /// Returns the full id, which may take a request.
        UUID id(SheafClient client) {
            return IdOrEnd.named(schedule, "schedule", schedules(client)::list, Schedule::id, Schedule::name);
        }
    }

    @Command(name = "list", aliases = "ls", description = "Lists the schedules of a queue.")
    public static final class ListAll extends QueueCommand.OfQueue {
        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var all = queues(client).schedules(queue).list();
            var table = new Table("ID", "CRON", "ZONE", "NEXT", "NAME");
            all.forEach(one -> table.row(
                    one.id(),
                    one.cron(),
                    one.timeZone(),
                    one.enabled() ? Text.time(one.nextAt()) : disabled(one),
                    one.name()));
            output.list(
                    all,
                    Schedule::id,
                    table,
                    "the queue has no schedules; to add one: sheaf queue schedule add " + queue + " NAME '0 7 * * *'");
            return ExitCode.OK;
        }

        private static String disabled(Schedule schedule) {
            return schedule.disabledReason() == null ? "disabled" : "disabled: " + schedule.disabledReason();
        }
    }

    @Command(
            name = "add",
            description = "Adds a schedule, which creates a job at set times. If the server was down at some of them, "
                    + "it creates one job for all of these.",
            footer = {"", "Example:", "  sheaf queue schedule add checks nightly '30 2 * * *' --zone Europe/Zurich"})
    public static final class Add extends QueueCommand.OfQueue {
        @Parameters(index = "1", paramLabel = "NAME", description = "Its name.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String name;

        @Parameters(
                index = "2",
                paramLabel = "CRON",
                description = "Minute, hour, day of month, month and day of week, in quotes.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String cron;

        @Mixin
        private final Jobs jobs = new Jobs();

        public Add(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var made = queues(client).schedules(queue).create(jobs.with(name, cron, null));
            output.done(
                    made,
                    made.id(),
                    "created the schedule " + made.name() + "; the first job: " + Text.time(made.nextAt()));
            return ExitCode.OK;
        }
    }

    @Command(name = "edit", description = "Changes a schedule. Settings that you do not name stay.")
    public static final class Edit extends OfSchedule {
        @Option(names = "--name", paramLabel = "NAME", description = "Its name.")
        private @Nullable String name;

        @Option(names = "--cron", paramLabel = "CRON", description = "Its times, in quotes.")
        private @Nullable String cron;

        @Mixin
        private final Jobs jobs = new Jobs();

        @Option(names = "--enable", description = "Create jobs from now on.")
        private boolean enable;

        @Option(names = "--disable", description = "Create no jobs.")
        private boolean disable;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        public Edit(Connection connection) {
            super(connection);
        }

        private Schedules.Settings changes() {
            return jobs.with(name, cron, enable ? Boolean.TRUE : disable ? Boolean.FALSE : null);
        }

        @Override
        protected boolean ready() {
            if (enable && disable) {
                throw new ParameterException(spec.commandLine(), "give --enable or --disable, not both");
            }
            if (changes().isEmpty()) {
                throw new ParameterException(spec.commandLine(), "say what to change: --cron CRON, for example");
            }
            return true;
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var changed = schedules(client).edit(id(client), changes());
            output.done(
                    changed,
                    changed.id(),
                    "changed the schedule " + changed.name() + "; the next job: " + Text.time(changed.nextAt()));
            return ExitCode.OK;
        }
    }

    @Command(name = "delete", aliases = "rm", description = "Deletes a schedule. The jobs that it created stay.")
    public static final class Delete extends OfSchedule {
        @Mixin
        private final Confirmation confirmation;

        public Delete(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            return confirmation.given("delete the schedule " + schedule + " of " + queue + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var whole = id(client);
            schedules(client).delete(whole);
            output.done(new Removed(whole.toString()), whole, "deleted the schedule " + schedule);
            return ExitCode.OK;
        }
    }
}
