package dev.sheaf.cli.work;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.Disk;
import dev.sheaf.client.work.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Runs a command for each job of a queue.
@Command(
        name = "work",
        description = "Runs a command for each job of a queue, until it is stopped. The command gets the queue's "
                + "instruction on standard input. SHEAF_JOB_FILE names the file with the job, SHEAF_BUNDLE_DIR "
                + "the folder of its bundle. Exit status 0 completes the job; its output is the JSON in "
                + "SHEAF_OUTPUT_FILE, or else what the command printed. 75 gives the job back, 65 fails it for "
                + "good, any other status fails this try.",
        footer = {
            "",
            "SIGTERM or Ctrl-C stops it after the running jobs, a second one immediately.",
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
                    "The program and its arguments, after --. No shell reads them, and no part of a job is inserted.")
    private List<String> command = new ArrayList<>();

    @Option(names = "--concurrency", paramLabel = "N", description = "How many jobs at a time, 1 to 100. Default: 1.")
    private int concurrency = 1;

    @Option(names = "--once", description = "Do one job if there is one; exit status 1 if it fails.")
    private boolean once;

    @Option(names = "--max-jobs", paramLabel = "N", description = "End after this many jobs.")
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
                    "The lease of its jobs, 5s to 10m. Default: that of the queue. After twice this time without a"
                            + " heartbeat, a job goes to another worker.")
    private @Nullable Duration lease;

    @Option(
            names = "--grace",
            paramLabel = "PERIOD",
            description = "How long a command may take to end after SIGTERM, before SIGKILL. Default: 10s.")
    private Duration grace = Duration.ofSeconds(10);

    @Option(
            names = "--work-dir",
            paramLabel = "DIR",
            description =
                    "The folder for the folders of jobs. No other user may be able to change it. Default: the folder "
                            + "work in the cache.")
    private @Nullable Path workDir;

    @Option(
            names = "--env",
            paramLabel = "NAME",
            description = "A variable that the queue may set, besides those that begin with JOB_; may be repeated. '*':"
                    + " all except known variables that decide which code runs.")
    private Set<String> variables = new LinkedHashSet<>();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The name of this worker in lists. Default: the name of the machine.")
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
        refuse(concurrency < 1 || concurrency > MOST, "--concurrency must be 1 to " + MOST);
        refuse(maxJobs < 1, "--max-jobs must be at least 1");
        refuse(lease != null && (lease.toSeconds() < 5 || lease.toSeconds() > 600), "--lease must be 5s to 10m");
        variables.forEach(variable -> refuse(
                !JobEnvironment.canBeNamed(variable),
                "--env " + Text.showable(variable) + ": a queue cannot set this variable; name another one"));
        refuse(
                Programs.find(command.getFirst(), connection.shell().environment())
                        .isEmpty(),
                "cannot find the program " + Text.showable(command.getFirst()));
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
        checkCache();
        var environment = connection.shell().environment();
        @Nullable Path setsid = Programs.find("setsid", environment).orElse(null);
        try (var place = WorkPlace.make(
                        workDir == null ? connection.shell().cacheFolder().resolve("work") : workDir);
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

    /// Jobs need the cache for their bundles: without it each would be claimed and fail.
    private void checkCache() {
        Path cache = connection.shell().cacheFolder();
        for (String part : List.of("blobs", "partial", "locks")) {
            var unwritable = Disk.unwritable(cache.resolve(part));
            if (unwritable.isPresent()) {
                throw new SheafException.Local(
                        "no job was claimed: the cache " + cache + ", where bundles go, cannot be used: "
                                + unwritable.get() + "; choose another with SHEAF_CACHE_DIR",
                        null);
            }
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
                .listener(new WorkReport(output));
        if (once || untilEmpty) {
            builder.untilEmpty();
        }
        try (var worker = builder.start();
                var _ = Signals.handling(() -> signalled(worker))) {
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

    /// The first signal stops taking jobs, the second gives the running ones back.
    private void signalled(Worker worker) {
        if (asked.incrementAndGet() == 1) {
            worker.drain();
            int running = worker.running();
            output.say("takes no new jobs"
                    + (running == 0
                            ? ""
                            : "; " + Text.count(running, "job")
                                    + " still running; a second signal returns them to the queue"));
        } else {
            worker.stop();
            output.say("returns " + Text.count(worker.running(), "job") + " to the queue");
        }
    }
}
