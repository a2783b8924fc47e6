package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.Removed;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.wire.queue.Worker;
import java.util.UUID;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The commands of `sheaf queue worker`.
public final class WorkerCommands {
    private static final int MOST = 1_000;

    private WorkerCommands() {}

    @Command(
            name = "worker",
            description = "Lists and removes workers, the programs that work on jobs. To start one: sheaf work.",
            synopsisSubcommandLabel = "COMMAND")
    private record Group() {}

    static CommandLine of(Supplier<Connection> connections) {
        return new CommandLine(new Group())
                .addSubcommand(new ListAll(connections.get()))
                .addSubcommand(new Remove(connections.get()));
    }

    @Command(name = "list", aliases = "ls", description = "Lists the workers, gone ones included.")
    public static final class ListAll extends QueueCommand.OfOrganization {
        @Option(names = "--limit", paramLabel = "N", description = "At most this many. Default: 50.")
        private int limit = 50;

        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var workers = queues(client).workers(Math.max(1, limit));
            var table = new Table("ID", "STATUS", "COMPLETED", "FAILED", "REGISTERED", "TYPE", "NAME")
                    .right("COMPLETED")
                    .right("FAILED");
            workers.forEach(worker -> table.row(
                    worker.workerId(),
                    worker.status(),
                    worker.jobsCompleted(),
                    worker.jobsFailed(),
                    Text.time(worker.registeredAt()),
                    worker.workerType(),
                    worker.name() == null ? "-" : worker.name()));
            output.list(
                    workers,
                    Worker::workerId,
                    table,
                    "there are no workers; to start one: sheaf work QUEUE -- COMMAND");
            return ExitCode.OK;
        }
    }

    @Command(
            name = "remove",
            aliases = "rm",
            description = "Removes a worker that is gone for good. Its job goes back to the queue when its lease ends.")
    public static final class Remove extends QueueCommand.OfOrganization {
        @Parameters(
                index = "0",
                paramLabel = "ID",
                description = "Id of the worker, as shown by sheaf queue worker list.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private IdOrEnd id;

        @Mixin
        private final Confirmation confirmation;

        public Remove(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            return confirmation.given("remove the worker " + id + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var queues = queues(client);
            UUID whole = id.among("worker", () -> queues.workers(MOST), Worker::workerId);
            queues.removeWorker(whole);
            output.done(new Removed(whole.toString()), whole, "removed the worker " + whole);
            return ExitCode.OK;
        }
    }
}
