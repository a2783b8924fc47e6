package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.Words;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.queue.JobFilter;
import dev.sheaf.client.queue.Jobs;
import dev.sheaf.client.queue.NewJob;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Queue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Groups the commands about jobs; [JobCommands] are those about jobs that exist.
@Command(
        name = "jobs",
        description = "Fills queues with jobs, and shows what became of them.",
        synopsisSubcommandLabel = "COMMAND")
public final class JobsCommand {
    /// Among so many, the end of an id is looked for.
    private static final int SEARCHED = 1_000;

    /// With its commands.
    public static CommandLine of(Supplier<Connection> connections) {
        return new CommandLine(new JobsCommand())
                .addSubcommand(new Add(connections.get()))
                .addSubcommand(new ListAll(connections.get()))
                .addSubcommand(new JobCommands.Show(connections.get()))
                .addSubcommand(new JobCommands.Cancel(connections.get()))
                .addSubcommand(new JobCommands.Retry(connections.get()));
    }

    /// The job that is meant, which may cost a request.
    static UUID find(Jobs jobs, IdOrEnd id) {
        return id.among("job among the latest " + SEARCHED, () -> jobs.list(null, JobFilter.ALL, SEARCHED), Job::id);
    }

    @Command(
            name = "add",
            description = "Enqueues a job, or one for each line of a file.",
            footer = {
                "",
                "Examples:",
                "  sheaf jobs add reviews '{\"pull\": 7}' --wait",
                "  sheaf jobs add reviews --file pulls.jsonl --priority low"
            })
    public static final class Add extends QueueCommand.OfQueue {
        private static final Duration LONGEST_WAIT = Duration.ofDays(7);

        @Parameters(index = "1", arity = "0..1", paramLabel = "INPUT", description = "The job's input, as JSON.")
        private @Nullable String input;

        @Option(
                names = "--file",
                paramLabel = "FILE",
                description = "JSON lines, each the input of a job, enqueued a hundred at a time; - is standard input.")
        private @Nullable String file;

        @Option(names = "--type", paramLabel = "TYPE", description = "What kind of job it is.")
        private @Nullable String type;

        @Option(names = "--priority", paramLabel = "PRIORITY", description = "low, normal, high or urgent.")
        private @Nullable String priority;

        @Option(names = "--delay", paramLabel = "PERIOD", description = "Not before so much time has passed.")
        private @Nullable Duration delay;

        @Option(
                names = "--dedupe",
                paramLabel = "KEY",
                description = "While a job with this key has not ended, the same again is that job.")
        private @Nullable String dedupe;

        @Option(
                names = "--concurrency-key",
                paramLabel = "KEY",
                description = "Of the jobs with this key, one runs at a time.")
        private @Nullable String concurrency;

        @Option(names = "--bundle", paramLabel = "REF", description = "The bundle to use, in place of the queue's.")
        private @Nullable String bundle;

        @Option(names = "--max-attempts", paramLabel = "N", description = "How often it is tried.")
        private @Nullable Integer attempts;

        @Option(
                names = "--wait",
                description = "Wait until it has ended and show it; exit status 1 where it is not completed.")
        private boolean wait;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        public Add(Connection connection) {
            super(connection);
        }

        @Override
        protected boolean ready() {
            if (file != null && (input != null || dedupe != null || wait)) {
                throw new ParameterException(
                        spec.commandLine(), "--file goes neither with an input nor with --dedupe or --wait");
            }
            return true;
        }

        private NewJob job(@Nullable Object data) {
            return NewJob.of(data)
                    .type(type)
                    .priority(priority)
                    .delay(delay)
                    .dedupeKey(dedupe)
                    .concurrencyKey(concurrency)
                    .bundle(bundle)
                    .maxAttempts(attempts);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var jobs = jobs(client);
            if (file != null) {
                return many(jobs, file);
            }
            var made = jobs.enqueue(queue, job(InputText.json(input, "INPUT")));
            if (!wait) {
                output.done(made, made.id(), "enqueued the job " + made.id() + " (" + made.status() + ")");
                return ExitCode.OK;
            }
            output.waitInSilence();
            var ended = jobs.await(made.id(), LONGEST_WAIT);
            JobCommands.show(output, ended, queue);
            return ended.status().equals("completed") ? ExitCode.OK : ExitCode.GENERAL;
        }

        private ExitCode many(Jobs jobs, String from) {
            var inputs = new ArrayList<NewJob>();
            int number = 0;
            for (String line : (Iterable<String>)
                    InputText.read(from, connection.shell().in()).lines()::iterator) {
                number++;
                if (!line.isBlank()) {
                    inputs.add(job(InputText.json(line, from + " line " + number)));
                }
            }
            var made = new ArrayList<Job>();
            try {
                for (int begin = 0; begin < inputs.size(); begin += Jobs.BATCH) {
                    int end = Math.min(inputs.size(), begin + Jobs.BATCH);
                    made.addAll(jobs.enqueueAll(queue, inputs.subList(begin, end)));
                }
            } catch (SheafException e) {
                if (!made.isEmpty()) {
                    output.fail("the first " + made.size() + " jobs are enqueued, the others are not");
                }
                throw e;
            }
            output.show(
                    new Job.Batch(made),
                    shell -> shell.say("enqueued " + Text.count(made.size(), "job")),
                    () -> made.stream().map(Job::id).toList());
            return ExitCode.OK;
        }
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
                description = "Only those that are scheduled, queued, claimed, running, completed, failed, dead or"
                        + " cancelled; may be repeated.")
        private List<String> statuses = new ArrayList<>();

        @Option(names = "--type", paramLabel = "TYPE", description = "Only jobs of this type.")
        private @Nullable String type;

        @Option(names = "--matching", paramLabel = "TEXT", description = "Only jobs with this in their input.")
        private @Nullable String text;

        @Option(
                names = "--after",
                paramLabel = "TIME",
                description =
                        "Only what was enqueued later: a time such as 2026-01-15T00:00:00Z, or an age such as 1h.")
        private @Nullable String after;

        @Option(names = "--before", paramLabel = "TIME", description = "Only what was enqueued earlier, likewise.")
        private @Nullable String before;

        @Option(names = "--changed", description = "The one that changed last first, in place of the newest.")
        private boolean changed;

        @Option(names = "--limit", paramLabel = "N", description = "At most so many; 20 if missing.")
        private int limit = 20;

        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var filter = new JobFilter(statuses, type, text, place(after), place(before), null, changed);
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

        /// @param names of the queues, where jobs of several are listed
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
                        error(job)));
                if (queue == null) {
                    cells.add(1, names.getOrDefault(job.queueId(), job.queueId().toString()));
                }
                table.row(cells.toArray());
            });
            return table;
        }

        private static String error(Job job) {
            if (job.errorCode() == null) {
                return "-";
            }
            return job.errorCode()
                    + (job.errorMessage() == null
                            ? ""
                            : ": " + job.errorMessage().strip());
        }

        private static @Nullable String place(@Nullable String typed) {
            return typed == null ? null : Words.place(typed);
        }
    }
}
