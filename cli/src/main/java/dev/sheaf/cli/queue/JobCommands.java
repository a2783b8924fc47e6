package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.ValueParsers;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.client.queue.EndedJobs;
import dev.sheaf.client.queue.JobFilter;
import dev.sheaf.client.queue.Jobs;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.JobEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The commands of `sheaf jobs`; [JobAddCommand] adds them.
public final class JobCommands {
    private static final int LONGEST = 400;
    private static final int MOST_EVENTS = 1_000;

    /// The end of an id is looked up among this many of the latest jobs.
    private static final int SEARCHED = 1_000;

    private static final Table<Job.Attempt> ATTEMPTS = new Table<Job.Attempt>()
            .number("TRY", Job.Attempt::number)
            .column("CLAIMED", Job.Attempt::claimedAt)
            .column("OUTCOME", Job.Attempt::outcome)
            .number("MS", Job.Attempt::durationMs)
            .column("ERROR", attempt -> JobText.failure(attempt.errorCode(), attempt.errorMessage()));

    private static final Table<JobEvent> EVENTS = new Table<JobEvent>()
            .column("AT", JobEvent::at)
            .number("TRY", JobEvent::attempt)
            .column("WHAT", JobEvent::type)
            .column(
                    "DETAIL",
                    event -> (event.percent() == null ? "" : event.percent() + " % ")
                            + (event.message() == null ? "" : JobText.lastLine(event.message())));

    private JobCommands() {}

    public static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(connections, "jobs", "Adds jobs to queues, and shows their results.")
                .add(JobAddCommand::of)
                .add(JobCommands::list)
                .add(JobCommands::show)
                .add(JobCommands::cancel)
                .add(JobCommands::retry)
                .add(JobCommands::delete);
    }

    /// Returns the full id of a job, which may take a request.
    private static UUID find(Jobs jobs, IdOrEnd id) {
        return id.among("job among the latest " + SEARCHED, () -> jobs.list(null, JobFilter.ALL, SEARCHED), Job::id);
    }

    private static CliCommand list(Connection connection) {
        var command = QueueCalls.command(connection, "list", "Lists jobs of all queues or of one, the newest first.")
                .alias("ls")
                .footer("", "Example:", "  sheaf jobs list reviews --status failed,dead");
        var queue = command.optionalArgument("QUEUE", "Slug or id of a queue.");
        var statuses = command.commaOptions(
                "--status",
                "STATUS",
                "Only jobs in this state: scheduled, queued, claimed, running, completed, failed, dead or cancelled; "
                        + "may be repeated.");
        var type = command.option("--type", "TYPE", "Only jobs of this type.");
        var error = command.option("--error", "CODE", "Only jobs whose last failure has this code, such as exit_3.");
        var text = command.option("--matching", "TEXT", "Only jobs with this in their input.");
        var after = command.option(
                "--after",
                "TIME",
                "Only jobs enqueued after this: a time such as 2026-01-15T00:00:00Z, or an age such as 1h.");
        var before = command.option("--before", "TIME", "Only jobs enqueued before this: a time or an age.");
        var changed = command.flag("--changed", "Sort by the last change instead of the creation, the latest first.");
        var limit = command.option(Integer.class, "--limit", "N", "At most this many. Default: 20.");
        return command.run(calls -> {
            var filter = JobFilter.ALL
                    .statuses(statuses.get())
                    .type(type.get())
                    .errorCode(error.get())
                    .text(text.get())
                    .after(ValueParsers.placeOrNull(after.get()))
                    .before(ValueParsers.placeOrNull(before.get()))
                    .byUpdate(changed.isGiven());
            var jobs = calls.jobs().list(queue.get(), filter, Math.max(1, limit.or(20)));
            boolean named = !queue.isGiven() && command.output.format() == Output.Format.HUMAN;
            var table = table(named ? QueueCommands.slugs(calls.queues()) : null);
            command.output.list(jobs, Job::id, table, "no job matches");
        });
    }

    /// @param slugs the slugs of the queues, if the list contains jobs of several
    private static Table<Job> table(@Nullable Map<UUID, String> slugs) {
        var table = new Table<Job>().column("ID", Job::id);
        if (slugs != null) {
            table.column(
                    "QUEUE",
                    job -> slugs.getOrDefault(job.queueId(), job.queueId().toString()));
        }
        return table.column("STATUS", Job::status)
                .number("TRY", job -> job.attemptNumber() + "/" + job.maxAttempts())
                .column("PRIORITY", Job::priority)
                .column("CREATED", Job::createdAt)
                .column("TYPE", Job::jobType)
                .column("ERROR", job -> JobText.failure(job.errorCode(), job.errorMessage()));
    }

    private static CliCommand show(Connection connection) {
        var command = QueueCalls.command(connection, "show", "Shows everything about a job.");
        var id = command.argument(IdOrEnd.class, "ID", "Id of the job, as shown by sheaf jobs list.");
        var attempts = command.flag("--attempts", "Also show each ended try.");
        var events = command.flag("--events", "Also show its events; as JSON, only these.");
        return command.run(calls -> {
            var jobs = calls.jobs();
            var whole = find(jobs, id.get());
            var job = attempts.isGiven() ? jobs.withAttempts(whole) : jobs.get(whole);
            var happened = events.isGiven() ? jobs.events(whole, MOST_EVENTS) : List.<JobEvent>of();
            command.output.show(
                    events.isGiven() ? happened : job,
                    shell -> {
                        summary(job, queue(calls.queues(), job), shell).print(shell);
                        print(job.attempts(), shell);
                        if (!happened.isEmpty()) {
                            shell.out().println();
                            EVENTS.print(shell, happened, "");
                        }
                    },
                    () -> events.isGiven()
                            ? happened.stream().map(JobEvent::type).toList()
                            : List.of(job.status()));
        });
    }

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
                .line(
                        job.status().equals("failed") || job.status().equals("dead") ? "error" : "last error",
                        job.errorCode())
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
        return value == null ? null : TextFormat.cut(WireJson.line(value), most);
    }

    private static String text(Job.Progress progress) {
        return (progress.percent() == null ? "" : progress.percent() + " % ")
                + (progress.message() == null ? "" : progress.message());
    }

    private static void print(@Nullable List<Job.Attempt> attempts, Shell shell) {
        if (attempts == null) {
            return;
        }
        shell.out().println();
        ATTEMPTS.print(shell, attempts, "no try has ended yet");
        attempts.forEach(attempt -> printMessage(attempt, shell));
    }

    /// Prints a message of several lines, since the table has only its last one.
    private static void printMessage(Job.Attempt attempt, Shell shell) {
        String message =
                attempt.errorMessage() == null ? "" : attempt.errorMessage().strip();
        if (message.lines().count() > 1) {
            shell.out().println();
            new Summary().text("try " + attempt.number(), message).print(shell);
        }
    }

    private static CliCommand cancel(Connection connection) {
        var command = QueueCalls.command(
                connection, "cancel", "Cancels jobs that have not ended. Workers get the order to stop.");
        var ids = command.arguments(IdOrEnd.class, "1..*", "ID", "Ids of jobs.");
        return command.exit(calls -> each(command.output, ids.get(), "cancelled", id -> {
            var job = calls.jobs().cancel(find(calls.jobs(), id));
            command.output.done(job, job.status(), "the job " + job.id() + " is " + job.status());
        }));
    }

    private static CliCommand retry(Connection connection) {
        var command = QueueCalls.command(
                        connection, "retry", "Enqueues jobs again that failed, are dead or were cancelled.")
                .footer(
                        "",
                        "Examples:",
                        "  sheaf jobs retry --all reviews --status failed,dead",
                        "  sheaf jobs retry --all reviews --error exit_3");
        var ids = command.arguments(IdOrEnd.class, "0..*", "ID", "Ids of jobs.");
        var queue = command.option(
                "--all",
                "QUEUE",
                "All jobs of this queue that failed or are dead. The other options narrow this down.");
        var statuses = command.commaOptions(
                "--status", "STATUS", "Only failed, only dead, or cancelled jobs; may be repeated.");
        var options = EndedOptions.of(command);
        return command.check(() -> command.refuse(
                        queue.isGiven() == ids.isGiven()
                                || (!queue.isGiven() && (statuses.isGiven() || options.isGiven())),
                        "name jobs by their ids, or all of a queue: --all QUEUE --status dead"))
                .exit(calls -> {
                    var jobs = calls.jobs();
                    String all = queue.get();
                    if (all != null) {
                        var states = statuses.isGiven() ? statuses.get() : List.of("failed", "dead");
                        long count = jobs.retryAll(all, options.of(states));
                        command.output.done(
                                new Job.Count(count), count, "enqueued " + TextFormat.count(count, "job") + " again");
                        return ExitCode.OK;
                    }
                    return each(command.output, ids.get(), "enqueued again", id -> {
                        var job = jobs.retry(find(jobs, id));
                        command.output.done(job, job.status(), "the job " + job.id() + " is " + job.status());
                    });
                });
    }

    private static CliCommand delete(Connection connection) {
        var command = QueueCalls.command(
                        connection,
                        "delete",
                        "Deletes jobs that have ended. To delete many by status, type or error: sheaf queue purge.")
                .alias("rm");
        var ids = command.arguments(IdOrEnd.class, "1..*", "ID", "Ids of jobs.");
        return command.confirm(() -> "delete "
                        + (ids.get().size() == 1
                                ? "the job " + ids.get().getFirst()
                                : TextFormat.count(ids.get().size(), "job"))
                        + command.at())
                .exit(calls -> each(command.output, ids.get(), "deleted", id -> {
                    var job = calls.jobs().get(find(calls.jobs(), id));
                    if (!Jobs.hasEnded(job) || purge(calls.queues(), job) == 0) {
                        throw new SheafException.Conflict(
                                "the job " + job.id() + " is " + job.status()
                                        + "; only an ended job can be deleted. To end it: sheaf jobs cancel "
                                        + job.id(),
                                SheafException.Answer.NONE);
                    }
                    command.removed(job.id().toString(), "deleted the job " + job.id());
                }));
    }

    private static long purge(Queues queues, Job job) {
        return queues.purge(
                job.queueId().toString(), EndedJobs.of(QueueCommands.ENDS).ids(List.of(job.id())));
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
}
