package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.InputText;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.queue.Jobs;
import dev.sheaf.client.queue.NewJob;
import dev.sheaf.model.Reference;
import dev.sheaf.model.wire.queue.Job;
import java.time.Duration;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// The command `sheaf jobs add`.
final class JobAddCommand {
    private static final Duration LONGEST_WAIT = Duration.ofDays(7);

    private final ResourceCommand<QueueCalls> command;
    private final RequiredValue<String> queue;
    private final OptionalValue<String> input;
    private final OptionalValue<String> file;
    private final OptionalValue<String> type;
    private final OptionalValue<String> priority;
    private final OptionalValue<Duration> delay;
    private final OptionalValue<String> dedupe;
    private final OptionalValue<String> concurrency;
    private final OptionalValue<String> bundle;
    private final OptionalValue<Integer> attempts;
    private final FlagOption wait;

    private JobAddCommand(ResourceCommand<QueueCalls> command) {
        this.command = command;
        queue = QueueCommands.queue(command);
        input = command.optionalArgument("INPUT", "The job's input, as JSON.");
        file = command.option(
                "--file",
                "FILE",
                "A file of JSON lines. Each line is the input of a job; they are enqueued a hundred at a time. - is"
                        + " standard input.");
        type = command.option("--type", "TYPE", "The type of the job.");
        priority = command.option("--priority", "PRIORITY", "low, normal, high or urgent.");
        delay = command.option(
                Duration.class, "--delay", "PERIOD", "Do not start the job before this period has passed.");
        dedupe = command.option(
                "--dedupe",
                "KEY",
                "Add no job while another job with this key has not ended; return that job instead.");
        concurrency = command.option("--concurrency-key", "KEY", "Jobs with the same key run one at a time.");
        bundle = command.option(
                "--bundle", "REF", "The bundle to use instead of the queue's; the first claim finds its version.");
        attempts = command.option(Integer.class, "--max-attempts", "N", "Maximum number of tries.");
        wait = command.flag(
                "--wait", "Wait until the job has ended and show it; exit status 1 if it did not complete.");
    }

    static CliCommand of(Connection connection) {
        var command = QueueCalls.command(connection, "add", "Enqueues a job, or one for each line of a file.")
                .footer(
                        "",
                        "Examples:",
                        "  sheaf jobs add reviews '{\"pull\": 7}' --wait",
                        "  sheaf jobs add reviews --file pulls.jsonl --priority low");
        var add = new JobAddCommand(command);
        return command.check(() -> command.refuse(
                        add.file.isGiven() && (add.input.isGiven() || add.dedupe.isGiven() || add.wait.isGiven()),
                        "--file cannot be combined with an input, --dedupe or --wait"))
                .exit(add::run);
    }

    private NewJob job(@Nullable Object data) {
        return NewJob.of(data)
                .type(type.get())
                .priority(priority.get())
                .delay(delay.get())
                .dedupeKey(dedupe.get())
                .concurrencyKey(concurrency.get())
                .bundle(bundle.get())
                .maxAttempts(attempts.get());
    }

    private ExitCode run(QueueCalls calls) {
        var jobs = calls.jobs();
        var output = command.output;
        String from = file.get();
        if (from != null) {
            return addAll(jobs, from);
        }
        var enqueued = jobs.enqueueIfNew(queue.get(), job(InputText.json(input.get(), "INPUT")));
        var made = enqueued.job();
        noteMissing(calls.client());
        if (!enqueued.isNew()) {
            output.say("nothing was enqueued: the job " + made.id() + " has the dedupe key " + dedupe.get()
                    + " and has not ended; it keeps its input");
        }
        if (!wait.isGiven()) {
            output.done(
                    made,
                    made.id(),
                    (enqueued.isNew() ? "enqueued the job " : "found the job ") + made.id() + " (" + made.status()
                            + ")");
            return ExitCode.OK;
        }
        output.waitInSilence();
        var ended = jobs.await(made.id(), LONGEST_WAIT);
        JobCommands.show(output, ended, queue.get());
        return ended.status().equals("completed") ? ExitCode.OK : ExitCode.GENERAL;
    }

    /// Notes that the bundle has no such version now: a version may also be published before the first claim.
    private void noteMissing(SheafClient client) {
        String wanted = bundle.get();
        if (wanted == null) {
            return;
        }
        try {
            client.resolve(Reference.parse(wanted), PullOptions.DEFAULT.refresh(true));
        } catch (SheafException.NotFound e) {
            command.output.note("the bundle has no version " + wanted
                    + " now; if that is still so when a worker claims the job, it fails with bundle_gone");
        } catch (SheafException e) {
            // the job is enqueued, and this key may not read the bundle
        }
    }

    private ExitCode addAll(Jobs jobs, String from) {
        var inputs = new ArrayList<NewJob>();
        int number = 0;
        for (String line : (Iterable<String>)
                InputText.read(from, command.connection.shell().in()).lines()::iterator) {
            number++;
            if (!line.isBlank()) {
                inputs.add(job(InputText.json(line, from + " line " + number)));
            }
        }
        var made = new ArrayList<Job>();
        try {
            for (int begin = 0; begin < inputs.size(); begin += Jobs.BATCH) {
                int end = Math.min(inputs.size(), begin + Jobs.BATCH);
                made.addAll(jobs.enqueueAll(queue.get(), inputs.subList(begin, end)));
            }
        } catch (SheafException e) {
            if (!made.isEmpty()) {
                command.output.fail("the first " + made.size() + " jobs are enqueued, the others are not");
            }
            throw e;
        }
        command.output.show(
                new Job.Batch(made),
                shell -> shell.say("enqueued " + TextFormat.count(made.size(), "job")),
                () -> made.stream().map(Job::id).toList());
        return ExitCode.OK;
    }
}
