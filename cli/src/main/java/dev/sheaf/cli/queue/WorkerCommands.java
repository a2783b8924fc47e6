package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.model.wire.queue.Worker;
import java.util.function.Supplier;

/// The commands of `sheaf queue worker`.
final class WorkerCommands {
    /// The end of an id is looked up among this many workers.
    private static final int SEARCHED = 1_000;

    private WorkerCommands() {}

    static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(
                        connections,
                        "worker",
                        "Lists and removes workers, the programs that work on jobs. To start one: sheaf work.")
                .add(WorkerCommands::list)
                .add(WorkerCommands::remove);
    }

    private static CliCommand list(Connection connection) {
        var command = QueueCommands.queues(connection, "list", "Lists the workers, gone ones included.")
                .alias("ls");
        var limit = command.option(Integer.class, "--limit", "N", "At most this many. Default: 50.");
        return command.list(
                queues -> queues.workers(Math.max(1, limit.or(50))),
                Worker::workerId,
                new Table<Worker>()
                        .column("ID", Worker::workerId)
                        .column("STATUS", Worker::status)
                        .number("COMPLETED", Worker::jobsCompleted)
                        .number("FAILED", Worker::jobsFailed)
                        .column("REGISTERED", Worker::registeredAt)
                        .column("TYPE", Worker::workerType)
                        .column("NAME", Worker::name),
                "there are no workers; to start one: sheaf work QUEUE -- COMMAND");
    }

    private static CliCommand remove(Connection connection) {
        var command = QueueCommands.queues(
                        connection,
                        "remove",
                        "Removes a worker that is gone for good. Its job goes back to the queue when its lease ends.")
                .alias("rm");
        var id = command.argument(IdOrEnd.class, "ID", "Id of the worker, as shown by sheaf queue worker list.");
        return command.confirm(() -> "remove the worker " + id + command.at())
                .remove(
                        queues -> id.get().among("worker", () -> queues.workers(SEARCHED), Worker::workerId),
                        Queues::removeWorker,
                        gone -> "removed the worker " + gone);
    }
}
