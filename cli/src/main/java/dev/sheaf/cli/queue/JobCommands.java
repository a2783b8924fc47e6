package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The commands of `sheaf jobs` about existing jobs.
public final class JobCommands {
    private static final int LONGEST = 400;
    private static final int MOST_EVENTS = 1_000;

    private JobCommands() {}

    /// Shows one job.
    ///
    /// @param queue the slug of its queue
    static void show(Output output, Job job, String queue) {
        output.show(job, shell -> summary(job, queue, shell).print(shell), () -> List.of(job.status()));
    }

    /// Returns the slug of its queue, or the id if the queue was deleted.
    private static String queue(Queues queues, Job job) {
        try {
            return queues.get(job.queueId().toString()).slug();
        } catch (SheafException.NotFound e) {
            return job.queueId().toString();
        }
    }

    private static Summary summary(Job job, String queue, Shell shell) {
        int most = shell.terminal() ? LONGEST : Integer.MAX_VALUE;
        var progress = job.progress();
        return new Summary()
                .line("id", job.id())
                .line("queue", queue)
                .line("status", job.status() + (job.statusReason() == null ? "" : " (" + job.statusReason() + ")"))
                .line("type", job.jobType())
                .line("priority", job.priority())
                .line("input", json(job.inputData(), most))
                .line("output", json(job.outputData(), most))
                .line("progress", progress == null ? null : text(progress))
                .line("error", job.errorCode())
                .text("message", job.errorMessage())
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

    private static @Nullable String json(@Nullable Object value, int most) {
        return value == null ? null : Text.cut(Json.line(value), most);
    }

    private static String text(Job.Progress progress) {
        return (progress.percent() == null ? "" : progress.percent() + " % ")
                + (progress.message() == null ? "" : progress.message());
    }

    /// Changes one job after the other, and continues if one of them cannot be changed.
    ///
    /// @param done what happens to a job, such as `cancelled`
    /// @return the status of the first one that could not be changed
    static ExitCode each(Output output, List<IdOrEnd> ids, String done, Consumer<IdOrEnd> change) {
        var failed = new ArrayList<SheafException>();
        for (var id : ids) {
            try {
                change.accept(id);
            } catch (SheafException.Conflict | SheafException.NotFound e) {
                if (ids.size() == 1) {
                    throw e;
                }
                output.fail(String.valueOf(e.getMessage()));
                failed.add(e);
            }
        }
        if (failed.isEmpty()) {
            return ExitCode.OK;
        }
        output.say((ids.size() - failed.size()) + " of " + ids.size() + " jobs " + done);
        return ExitCode.of(failed.getFirst());
    }

    @Command(name = "show", description = "Shows everything about a job.")
    public static final class Show extends QueueCommand.OfOrganization {
        @Parameters(paramLabel = "ID", description = "Id of the job, as shown by sheaf jobs list.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private IdOrEnd id;

        @Option(names = "--attempts", description = "Also show each ended try.")
        private boolean attempts;

        @Option(names = "--events", description = "Also show its events; as JSON, only these.")
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
                        summary(job, queue(queues(client), job), shell).print(shell);
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
                    JobText.failure(one.errorCode(), one.errorMessage())));
            shell.out().println();
            table.print(shell, "no try has ended yet");
            tries.forEach(one -> printMessage(one, shell));
        }

        /// Prints a message of several lines, since the table has only its last one.
        private static void printMessage(Job.Attempt one, Shell shell) {
            String message =
                    one.errorMessage() == null ? "" : one.errorMessage().strip();
            if (message.lines().count() > 1) {
                shell.out().println();
                new Summary().text("try " + one.number(), message).print(shell);
            }
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
                            + (event.message() == null ? "" : JobText.lastLine(event.message()))));
            shell.out().println();
            table.print(shell, "");
        }
    }

    @Command(name = "cancel", description = "Cancels jobs that have not ended. Workers get the order to stop.")
    public static final class Cancel extends QueueCommand.OfOrganization {
        @Parameters(arity = "1..*", paramLabel = "ID", description = "Ids of jobs.")
        private List<IdOrEnd> ids = new ArrayList<>();

        public Cancel(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var jobs = jobs(client);
            return each(output, ids, "cancelled", id -> {
                var job = jobs.cancel(JobsCommand.find(jobs, id));
                output.done(job, job.status(), "the job " + job.id() + " is " + job.status());
            });
        }
    }
}
