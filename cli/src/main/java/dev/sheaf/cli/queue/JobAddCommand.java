package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Text;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "add",
        description = "Enqueues a job, or one for each line of a file.",
        footer = {
            "",
            "Examples:",
            "  sheaf jobs add reviews '{\"pull\": 7}' --wait",
            "  sheaf jobs add reviews --file pulls.jsonl --priority low"
        })
public final class JobAddCommand extends QueueCommand.OfQueue {
    private static final Duration LONGEST_WAIT = Duration.ofDays(7);

    @Parameters(index = "1", arity = "0..1", paramLabel = "INPUT", description = "The job's input, as JSON.")
    private @Nullable String input;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description =
                    "A file of JSON lines. Each line is the input of a job; they are enqueued a hundred at a time. - is"
                            + " standard input.")
    private @Nullable String file;

    @Option(names = "--type", paramLabel = "TYPE", description = "The type of the job.")
    private @Nullable String type;

    @Option(names = "--priority", paramLabel = "PRIORITY", description = "low, normal, high or urgent.")
    private @Nullable String priority;

    @Option(
            names = "--delay",
            paramLabel = "PERIOD",
            description = "Do not start the job before this period has passed.")
    private @Nullable Duration delay;

    @Option(
            names = "--dedupe",
            paramLabel = "KEY",
            description = "Add no job while another job with this key has not ended; return that job instead.")
    private @Nullable String dedupe;

    @Option(names = "--concurrency-key", paramLabel = "KEY", description = "Jobs with the same key run one at a time.")
    private @Nullable String concurrency;

    @Option(
            names = "--bundle",
            paramLabel = "REF",
            description = "The bundle to use instead of the queue's; the first claim finds its version.")
    private @Nullable String bundle;

    @Option(names = "--max-attempts", paramLabel = "N", description = "Maximum number of tries.")
    private @Nullable Integer attempts;

    @Option(
            names = "--wait",
            description = "Wait until the job has ended and show it; exit status 1 if it did not complete.")
    private boolean wait;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    public JobAddCommand(Connection connection) {
        super(connection);
    }

    @Override
    protected boolean ready() {
        if (file != null && (input != null || dedupe != null || wait)) {
            throw new ParameterException(
                    spec.commandLine(), "--file cannot be combined with an input, --dedupe or --wait");
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
        var enqueued = jobs.enqueueIfNew(queue, job(InputText.json(input, "INPUT")));
        var made = enqueued.job();
        noteMissing(client);
        if (!enqueued.isNew()) {
            output.say("nothing was enqueued: the job " + made.id() + " has the dedupe key " + dedupe
                    + " and has not ended; it keeps its input");
        }
        if (!wait) {
            output.done(
                    made,
                    made.id(),
                    (enqueued.isNew() ? "enqueued the job " : "found the job ") + made.id() + " (" + made.status()
                            + ")");
            return ExitCode.OK;
        }
        output.waitInSilence();
        var ended = jobs.await(made.id(), LONGEST_WAIT);
        JobCommands.show(output, ended, queue);
        return ended.status().equals("completed") ? ExitCode.OK : ExitCode.GENERAL;
    }

    /// Notes that the bundle has no such version now: a version may also be published before the first claim.
    private void noteMissing(SheafClient client) {
        if (bundle == null) {
            return;
        }
        try {
            client.resolve(Reference.parse(bundle), PullOptions.DEFAULT.refresh(true));
        } catch (SheafException.NotFound e) {
            output.note("the bundle has no version " + bundle
                    + " now; if that is still so when a worker claims the job," + " it fails with bundle_gone");
        } catch (SheafException e) {
            // the job is enqueued, and this key may not read the bundle
        }
    }

    private ExitCode many(Jobs jobs, String from) {
        var inputs = new ArrayList<NewJob>();
        int number = 0;
        for (String line :
                (Iterable<String>) InputText.read(from, connection.shell().in()).lines()::iterator) {
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
