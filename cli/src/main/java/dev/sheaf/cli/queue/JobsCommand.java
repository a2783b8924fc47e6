package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.Words;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.queue.JobFilter;
import dev.sheaf.client.queue.Jobs;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Queue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Groups the commands about jobs; [JobCommands] and [EndedJobCommands] contain the commands about
/// existing jobs.
@Command(
        name = "jobs",
        description = "Adds jobs to queues, and shows their results.",
        synopsisSubcommandLabel = "COMMAND")
public final class JobsCommand {
    /// The end of an id is looked up among this many of the latest jobs.
    private static final int SEARCHED = 1_000;

    /// Returns the group with its commands.
    public static CommandLine of(Supplier<Connection> connections) {
        return new CommandLine(new JobsCommand())
                .addSubcommand(new JobAddCommand(connections.get()))
                .addSubcommand(new ListAll(connections.get()))
                .addSubcommand(new JobCommands.Show(connections.get()))
                .addSubcommand(new JobCommands.Cancel(connections.get()))
                .addSubcommand(new EndedJobCommands.Retry(connections.get()))
                .addSubcommand(new EndedJobCommands.Delete(connections.get()));
    }

    /// Returns the full id of a job, which may take a request.
    static UUID find(Jobs jobs, IdOrEnd id) {
        return id.among("job among the latest " + SEARCHED, () -> jobs.list(null, JobFilter.ALL, SEARCHED), Job::id);
    }

    @Command(
            name = "list",
            aliases = "ls",
            description = "Lists jobs of all queues or of one, the newest first.",
            footer = {"", "Example:", "  sheaf jobs list reviews --status failed,dead"})
    public static final class ListAll extends QueueCommand.OfOrganization {
        @Parameters(index = "0", arity = "0..1", paramLabel = "QUEUE", description = "Slug or id of a queue.")
        private @Nullable String queue;

        @Option(
                names = "--status",
                paramLabel = "STATUS",
                split = ",",
                description = "Only jobs in this state: scheduled, queued, claimed, running, completed, failed, dead or"
                        + " cancelled; may be repeated.")
        private List<String> statuses = new ArrayList<>();

        @Option(names = "--type", paramLabel = "TYPE", description = "Only jobs of this type.")
        private @Nullable String type;

        @Option(
                names = "--error",
                paramLabel = "CODE",
                description = "Only jobs whose last failure has this code, such as exit_3.")
        private @Nullable String error;

        @Option(names = "--matching", paramLabel = "TEXT", description = "Only jobs with this in their input.")
        private @Nullable String text;

        @Option(
                names = "--after",
                paramLabel = "TIME",
                description =
                        "Only jobs enqueued after this: a time such as 2026-01-15T00:00:00Z, or an age such as 1h.")
        private @Nullable String after;

        @Option(
                names = "--before",
                paramLabel = "TIME",
                description = "Only jobs enqueued before this: a time or an age.")
        private @Nullable String before;

        @Option(names = "--changed", description = "Sort by the last change instead of the creation, the latest first.")
        private boolean changed;

        @Option(names = "--limit", paramLabel = "N", description = "At most this many. Default: 20.")
        private int limit = 20;

        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var filter = new JobFilter(statuses, type, error, text, place(after), place(before), null, changed);
            var jobs = jobs(client).list(queue, filter, Math.max(1, limit));
            var names = queue == null && output.format() == Output.Format.HUMAN
                    ? names(queues(client))
                    : Map.<UUID, String>of();
            output.list(jobs, Job::id, table(jobs, names), "no job matches");
            return ExitCode.OK;
        }

        private static Map<UUID, String> names(Queues queues) {
            return queues.list(null, null).stream().collect(Collectors.toMap(Queue::id, Queue::slug));
        }

        /// @param names the queues' names by id; used if the list contains jobs of several queues
        private Table table(List<Job> jobs, Map<UUID, String> names) {
            var columns = new ArrayList<>(List.of("ID", "STATUS", "TRY", "PRIORITY", "CREATED", "TYPE", "ERROR"));
            if (queue == null) {
                columns.add(1, "QUEUE");
            }
            var table = new Table(columns.toArray(String[]::new)).right("TRY");
            jobs.forEach(job -> {
                var cells = new ArrayList<Object>(List.of(
                        job.id(),
                        job.status(),
                        job.attemptNumber() + "/" + job.maxAttempts(),
                        job.priority(),
                        Text.time(job.createdAt()),
                        job.jobType(),
                        JobText.failure(job.errorCode(), job.errorMessage())));
                if (queue == null) {
                    cells.add(1, names.getOrDefault(job.queueId(), job.queueId().toString()));
                }
                table.row(cells.toArray());
            });
            return table;
        }

        private static @Nullable String place(@Nullable String typed) {
            return typed == null ? null : Words.place(typed);
        }
    }
}
