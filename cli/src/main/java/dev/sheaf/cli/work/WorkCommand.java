package dev.sheaf.cli.work;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.work.Outcome;
import dev.sheaf.client.work.Worker;
import dev.sheaf.client.work.WorkerListener;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.Runner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Works on the jobs of a queue by a command.
@Command(
        name = "work",
        description =
                "Runs a command for each job of a queue, until it is stopped. The command gets the queue's instruction"
                        + " on standard input and finds the job in the file that SHEAF_JOB_FILE names, its bundle in"
                        + " SHEAF_BUNDLE_DIR. Exit status 0 completes the job, with the JSON in SHEAF_OUTPUT_FILE or what it"
                        + " printed as output; 75 gives it back; 65 fails it for good; all else fails this try.",
        footer = {
            "",
            "SIGTERM or Ctrl-C ends it when the jobs at work are over, the second one at once.",
            "",
            "Examples:",
            "  sheaf work reviews -- ./review.sh",
            "  sheaf work reviews --concurrency 4 -- claude -p"
        })
public final class WorkCommand extends RegistryCommand {
    private static final int MOST = 100;

    @Parameters(index = "0", paramLabel = "QUEUE", description = "Slug or id of the queue.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String queue;

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "COMMAND",
            description =
                    "The program and its arguments, behind --. No shell reads them, and nothing of a job is put in.")
    private List<String> command = new ArrayList<>();

    @Option(names = "--concurrency", paramLabel = "N", description = "How many jobs at a time, 1 to 100; 1 if missing.")
    private int concurrency = 1;

    @Option(names = "--once", description = "One job, and no wait where there is none; exit status 1 where it fails.")
    private boolean once;

    @Option(names = "--max-jobs", paramLabel = "N", description = "End after so many jobs.")
    private long maxJobs = Long.MAX_VALUE;

    @Option(
            names = "--until-empty",
            description = "End when no job is due. A failed job that waits for its next try stays in the queue. Exit"
                    + " status 1 if a job failed.")
    private boolean untilEmpty;

    @Option(
            names = "--lease",
            paramLabel = "PERIOD",
            description =
                    "How long this worker may be silent before a job is given to another, 5s to 10m; the queue says"
                            + " it if missing.")
    private @Nullable Duration lease;

    @Option(
            names = "--grace",
            paramLabel = "PERIOD",
            description = "What a command has to end in after SIGTERM, before SIGKILL; 10s if missing.")
    private Duration grace = Duration.ofSeconds(10);

    @Option(
            names = "--work-dir",
            paramLabel = "DIR",
            description = "Where jobs have their folders; the system's folder for temporary files if missing.")
    private @Nullable Path workDir;

    @Option(
            names = "--env",
            paramLabel = "NAME",
            description = "A variable that the queue may set, besides those that begin with JOB_; may be repeated. '*':"
                    + " all but those of which it is known that they decide which code runs.")
    private Set<String> variables = new LinkedHashSet<>();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "What the list of workers calls this one; the name of the machine if missing.")
    private @Nullable String name;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private final AtomicInteger asked = new AtomicInteger();

    public WorkCommand(Connection connection) {
        super(connection);
    }

    @Override
    protected boolean ready() {
        refuse(concurrency < 1 || concurrency > MOST, "--concurrency is 1 to " + MOST);
        refuse(maxJobs < 1, "--max-jobs is at least 1");
        refuse(lease != null && (lease.toSeconds() < 5 || lease.toSeconds() > 600), "--lease is 5s to 10m");
        variables.forEach(variable -> refuse(
                !JobEnvironment.canBeNamed(variable),
                "--env " + Text.showable(variable) + ": a queue cannot set this variable; name another one"));
        refuse(
                Programs.find(command.getFirst(), connection.shell().environment())
                        .isEmpty(),
                "there is no program " + Text.showable(command.getFirst()));
        return true;
    }

    private void refuse(boolean wrong, String why) {
        if (wrong) {
            throw new ParameterException(spec.commandLine(), why);
        }
    }

    @Override
    protected ExitCode run(SheafClient client) {
        output.waitInSilence();
        var environment = connection.shell().environment();
        @Nullable Path setsid = Programs.find("setsid", environment).orElse(null);
        try (var place = WorkPlace.make(workDir);
                var guard = setsid == null ? Guard.none() : Guard.start(setsid, place.folder())) {
            var words = new ArrayList<>(command);
            words.set(
                    0,
                    Programs.find(words.getFirst(), environment).orElseThrow().toString());
            var handler = new CommandHandler(
                    List.copyOf(words),
                    place,
                    new RunningCommand.Means(setsid, guard, grace),
                    new CommandHandler.Surroundings(
                            environment, connection.url().toString(), new JobEnvironment(variables), output::say));
            return work(client, handler);
        }
    }

    private ExitCode work(SheafClient client, CommandHandler handler) {
        var builder = client.worker(queue)
                .handler(handler)
                .concurrency(concurrency)
                .maxJobs(once ? 1 : maxJobs)
                .lease(lease)
                .name(name == null ? HostName.of(connection.shell().environment()) : name)
                .type("sheaf-work")
                .listener(new Told(output));
        if (once || untilEmpty) {
            builder.untilEmpty();
        }
        try (var worker = builder.start();
                var _ = Signals.heard(() -> asked(worker))) {
            try {
                worker.await();
            } catch (InterruptedException e) {
                worker.stop();
                Thread.currentThread().interrupt();
                return ExitCode.INTERRUPTED;
            }
            return (once || untilEmpty) && worker.failed() > 0 ? ExitCode.GENERAL : ExitCode.OK;
        }
    }

    /// First it takes no more jobs, then it gives back those that it has.
    private void asked(Worker worker) {
        if (asked.incrementAndGet() == 1) {
            worker.drain();
            int running = worker.running();
            output.say("takes no more jobs"
                    + (running == 0
                            ? ""
                            : "; " + Text.count(running, "job") + " at work, which another signal gives back"));
        } else {
            worker.stop();
            output.say("gives back " + Text.count(worker.running(), "job"));
        }
    }

    /// What is printed of a job, one line each.
    ///
    /// @param outcome `completed`, `failed`, `released` or `stopped`
    private record Line(
            UUID id,
            String outcome,
            @Nullable String code,
            @Nullable String message) {}

    /// Prints what becomes of each job, and says what goes wrong.
    private record Told(Output output) implements WorkerListener {
        @Override
        public void registered(UUID worker) {
            output.say("works as " + worker + "; Ctrl-C ends it");
        }

        @Override
        public void nothingToDo(Runner.QueueEntry queue) {
            output.say(
                    "paused".equals(queue.status())
                            ? "the queue is paused; to go on: sheaf queue resume " + queue.slug()
                            : "no job to do");
        }

        @Override
        public void reported(Job job, Outcome outcome) {
            print(
                    switch (outcome) {
                        case Outcome.Completed _ -> new Line(job.id(), "completed", null, null);
                        case Outcome.Failed failed -> new Line(job.id(), "failed", failed.code(), failed.message());
                        case Outcome.Released _ -> new Line(job.id(), "released", null, null);
                    });
        }

        @Override
        public void stopped(Job job, String why) {
            print(new Line(job.id(), "stopped", null, why));
        }

        private synchronized void print(Line line) {
            String why = (line.code() == null ? "" : " " + line.code())
                    + (line.message() == null ? "" : ": " + Text.cut(line.message(), 200));
            output.line(line, line.outcome() + "  " + line.id() + why, line.outcome() + " " + line.id());
        }

        @Override
        public void trouble(SheafException failure, Duration wait) {
            output.say("the registry cannot be asked for jobs (" + Text.showable(String.valueOf(failure.getMessage()))
                    + "); trying again in " + Math.max(1, wait.toSeconds()) + " s");
        }

        @Override
        public void unreported(Job job, SheafException failure) {
            output.fail(
                    "what came of the job " + job.id() + " could not be told to the registry: " + failure.getMessage());
        }
    }
}
