package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.OrganizationOption;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.queue.Jobs;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.model.wire.queue.Queue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Groups the commands about queues; [QueueCommands] contains the commands about one queue.
@Command(
        name = "queue",
        description = "Manages queues of jobs, their instructions and schedules. To manage the jobs: sheaf jobs.",
        synopsisSubcommandLabel = "COMMAND")
public final class QueueCommand {
    /// Returns the group with its commands.
    public static CommandLine of(Supplier<Connection> connections) {
        return new CommandLine(new QueueCommand())
                .addSubcommand(new ListAll(connections.get()))
                .addSubcommand(new QueueCommands.Create(connections.get()))
                .addSubcommand(new QueueCommands.Show(connections.get()))
                .addSubcommand(new QueueCommands.Edit(connections.get()))
                .addSubcommand(
                        "pause",
                        state(connections, Queues::pause, "Pauses a queue: workers get no jobs until queue resume."))
                .addSubcommand("resume", state(connections, Queues::resume, "Resumes a queue: workers get jobs again."))
                .addSubcommand(
                        "archive",
                        state(
                                connections,
                                Queues::archive,
                                "Archives a queue: it takes no new jobs, and keeps the old ones."))
                .addSubcommand(new QueueCommands.Delete(connections.get()))
                .addSubcommand(new EndedJobCommands.Purge(connections.get()))
                .addSubcommand(new StatsCommand(connections.get()))
                .addSubcommand(InstructionCommands.of(connections))
                .addSubcommand(ScheduleCommands.of(connections))
                .addSubcommand(RouteCommands.of(connections))
                .addSubcommand(HabitatCommands.of(connections))
                .addSubcommand(WorkerCommands.of(connections));
    }

    private static CommandLine state(
            Supplier<Connection> connections, QueueCommands.Switch.Change change, String description) {
        var command = new CommandLine(new QueueCommands.Switch(change, connections.get()));
        command.getCommandSpec().usageMessage().description(description);
        return command;
    }

    /// A command about the queues of one organization.
    abstract static class OfOrganization extends RegistryCommand {
        @Mixin
        private final OrganizationOption organization = new OrganizationOption();

        OfOrganization(Connection connection) {
            super(connection);
        }

        Queues queues(SheafClient client) {
            return client.queues(organization.value());
        }

        Jobs jobs(SheafClient client) {
            return client.jobs(organization.value());
        }
    }

    /// A command about one queue.
    abstract static class OfQueue extends OfOrganization {
        @Parameters(index = "0", paramLabel = "QUEUE", description = "Slug or id of the queue.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        String queue;

        OfQueue(Connection connection) {
            super(connection);
        }
    }

    @Command(name = "list", aliases = "ls", description = "Lists the queues.")
    public static final class ListAll extends OfOrganization {
        @Option(
                names = "--status",
                paramLabel = "STATUS",
                description = "Only queues in this state: active, paused or archived.")
        private @Nullable String status;

        @Option(names = "--matching", paramLabel = "TEXT", description = "Only queues with this text in slug or name.")
        private @Nullable String text;

        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var queues = queues(client).list(status, text);
            var table = new Table("QUEUE", "STATUS", "WAITING", "RUNNING", "FAILED", "DEAD", "NAME")
                    .right("WAITING")
                    .right("RUNNING")
                    .right("FAILED")
                    .right("DEAD");
            queues.forEach(queue -> {
                var counts = queue.counts();
                table.row(
                        queue.slug(),
                        queue.status(),
                        counts.queued() + counts.scheduled(),
                        counts.claimed() + counts.running(),
                        counts.failed(),
                        counts.dead(),
                        queue.name());
            });
            output.list(queues, Queue::slug, table, "there are no queues; to create one: sheaf queue create NAME");
            return ExitCode.OK;
        }
    }
}
