package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.Words;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.Json;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.JobEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The commands of `sheaf jobs` about jobs that exist.
public final class JobCommands {
    private static final int LONGEST = 400;
    private static final int MOST_EVENTS = 1_000;

    private JobCommands() {}

    /// Shows one job.
    ///
    /// @param queue what its queue is called
    static void show(Output output, Job job, String queue) {
        output.show(job, shell -> summary(job, queue).print(shell), () -> List.of(job.status()));
    }

    /// The slug of its queue, or else the id, where the queue is gone.
    private static String queue(Queues queues, Job job) {
        try {
            return queues.get(job.queueId().toString()).slug();
        } catch (SheafException.NotFound e) {
            return job.queueId().toString();
        }
    }

    private static Summary summary(Job job, String queue) {
        var progress = job.progress();
        return new Summary()
                .line("id", job.id())
                .line("queue", queue)
                .line("status", job.status() + (job.statusReason() == null ? "" : " (" + job.statusReason() + ")"))
                .line("type", job.jobType())
                .line("priority", job.priority())
                .line("input", json(job.inputData()))
                .line("output", json(job.outputData()))
                .line("progress", progress == null ? null : text(progress))
                .line("error", job.errorCode())
                .line("message", job.errorMessage() == null ? null : Text.cut(job.errorMessage(), LONGEST))
                .line("try", job.attemptNumber() + " of " + job.maxAttempts())
                .line("next try", job.nextRetryAt())
                .line("bundle", job.bundle())
                .line("digest", job.bundleDigest())
                .line("event", job.ceType() == null ? null : job.ceType() + " " + job.ceSubject())
                .line("dedupe key", job.dedupeKey())
                .line("concurrency", job.concurrencyKey())
                .line("not before", job.notBefore())
                .line("created", job.createdAt())
                .line("claimed", job.claimedAt())
                .line("started", job.startedAt())
                .line("ended", job.completedAt())
                .line("took", job.durationMs() == null ? null : job.durationMs() + " ms");
    }

    private static @Nullable String json(@Nullable Object value) {
        return value == null ? null : Text.cut(Json.line(value), LONGEST);
    }

    private static String text(Job.Progress progress) {
        return (progress.percent() == null ? "" : progress.percent() + " % ")
                + (progress.message() == null ? "" : progress.message());
    }

    @Command(name = "show", description = "Tells all about a job.")
    public static final class Show extends QueueCommand.OfOrganization {
        @Parameters(paramLabel = "ID", description = "Id of the job, as jobs list shows it.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private IdOrEnd id;

        @Option(names = "--attempts", description = "With each try that has ended.")
        private boolean attempts;

        @Option(names = "--events", description = "With all that happened to it; as JSON, this alone.")
        private boolean events;

        public Show(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var jobs = jobs(client);
            var whole = JobsCommand.find(jobs, id);
            var job = attempts ? jobs.withAttempts(whole) : jobs.get(whole);
            var happened = events ? jobs.events(whole, MOST_EVENTS) : List.<JobEvent>of();
            output.show(
                    events ? happened : job,
                    shell -> {
                        summary(job, queue(queues(client), job)).print(shell);
                        print(job.attempts(), shell);
                        printEvents(happened, shell);
                    },
                    () -> events ? happened.stream().map(JobEvent::type).toList() : List.of(job.status()));
            return ExitCode.OK;
        }

        private static void print(@Nullable List<Job.Attempt> tries, Shell shell) {
            if (tries == null) {
                return;
            }
            var table = new Table("TRY", "CLAIMED", "OUTCOME", "MS", "ERROR")
                    .right("TRY")
                    .right("MS");
            tries.forEach(one -> table.row(
                    one.number(),
                    Text.time(one.claimedAt()),
                    one.outcome(),
                    one.durationMs() == null ? "-" : one.durationMs(),
                    one.errorCode() == null
                            ? "-"
                            : one.errorCode() + (one.errorMessage() == null ? "" : ": " + one.errorMessage())));
            shell.out().println();
            table.print(shell, "no try has ended yet");
        }

        private static void printEvents(List<JobEvent> events, Shell shell) {
            if (events.isEmpty()) {
                return;
            }
            var table = new Table("AT", "TRY", "WHAT", "DETAIL").right("TRY");
            events.forEach(event -> table.row(
                    Text.time(event.at()),
                    event.attempt() == null ? "-" : event.attempt(),
                    event.type(),
                    (event.percent() == null ? "" : event.percent() + " % ")
                            + (event.message() == null ? "" : event.message())));
            shell.out().println();
            table.print(shell, "");
        }
    }

    @Command(name = "cancel", description = "Ends jobs that have not ended; who works on one is told to stop.")
    public static final class Cancel extends QueueCommand.OfOrganization {
        @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of jobs.")
        private List<IdOrEnd> ids = new ArrayList<>();

        public Cancel(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var jobs = jobs(client);
            for (var id : ids) {
                var job = jobs.cancel(JobsCommand.find(jobs, id));
                output.done(job, job.status(), "the job " + job.id() + " is " + job.status());
            }
            return ExitCode.OK;
        }
    }

    @Command(
            name = "retry",
            description = "Enqueues jobs again that failed, are dead or were cancelled.",
            footer = {"", "Example:", "  sheaf jobs retry --all reviews --status failed,dead"})
    public static final class Retry extends QueueCommand.OfOrganization {
        @Parameters(arity = "0..*", paramLabel = "ID", description = "Ids of jobs.")
        private List<IdOrEnd> ids = new ArrayList<>();

        @Option(names = "--all", paramLabel = "QUEUE", description = "All jobs of this queue that failed or are dead.")
        private @Nullable String queue;

        @Option(
                names = "--status",
                paramLabel = "STATUS",
                split = ",",
                description = "With --all: only those that are failed, or dead; may be repeated.")
        private List<String> statuses = new ArrayList<>();

        @Option(names = "--type", paramLabel = "TYPE", description = "With --all: only jobs of this type.")
        private @Nullable String type;

        @Option(
                names = "--before",
                paramLabel = "TIME",
                description = "With --all: only what ended before this time, or so long ago.")
        private @Nullable String before;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        public Retry(Connection connection) {
            super(connection);
        }

        @Override
        protected boolean ready() {
            boolean filtered = !statuses.isEmpty() || type != null || before != null;
            if ((queue == null) == ids.isEmpty() || (queue == null && filtered)) {
                throw new ParameterException(
                        spec.commandLine(), "name jobs by their ids, or all of a queue: --all QUEUE --status dead");
            }
            return true;
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var jobs = jobs(client);
            if (queue != null) {
                var states = statuses.isEmpty() ? List.of("failed", "dead") : statuses;
                long count = jobs.retryAll(queue, states, type, before == null ? null : Words.place(before));
                output.done(new Job.Count(count), count, "enqueued " + Text.count(count, "job") + " again");
                return ExitCode.OK;
            }
            for (var id : ids) {
                var job = jobs.retry(JobsCommand.find(jobs, id));
                output.done(job, job.status(), "the job " + job.id() + " is " + job.status());
            }
            return ExitCode.OK;
        }
    }
}
