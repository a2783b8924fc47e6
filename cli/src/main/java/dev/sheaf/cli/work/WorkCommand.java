package dev.sheaf.cli.work;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.RepeatedValue;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.work.Worker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The command `sheaf work`.
public final class WorkCommand extends ResourceCommand<SheafClient> {
    private static final int MOST = 100;

    private final RequiredValue<String> queue = argument("QUEUE", "Slug or id of the queue.");
    private final RepeatedValue<String> command = arguments(
            String.class,
            "1..*",
            "COMMAND",
            "The program and its arguments, after --. No shell reads them, and no part of a job is inserted.");
    private final OptionalValue<Integer> concurrency =
            option(Integer.class, "--concurrency", "N", "How many jobs at a time, 1 to 100. Default: 1.");
    private final FlagOption once = flag("--once", "Do one job if there is one; exit status 1 if it fails.");
    private final OptionalValue<Long> maxJobs = option(long.class, "--max-jobs", "N", "End after this many jobs.");
    private final FlagOption untilEmpty = flag(
            "--until-empty",
            "End when no job is due. A failed job that waits for its next try stays in the queue. Exit status 1 if a job "
                    + "failed.");
    private final OptionalValue<Duration> lease = option(
            Duration.class,
            "--lease",
            "PERIOD",
            "The lease of its jobs, 5s to 10m. Default: that of the queue. After twice this time without a heartbeat, a "
                    + "job goes to another worker.");
    private final OptionalValue<Duration> grace = option(
            Duration.class,
            "--grace",
            "PERIOD",
            "How long a command may take to end after SIGTERM, before SIGKILL. Default: 10s.");
    private final OptionalValue<Path> workDir = option(
            Path.class,
            "--work-dir",
            "DIR",
            "The folder for the folders of jobs. No other user may be able to change it. Default: the folder work in the "
                    + "cache.");
    private final RepeatedValue<String> variables = options(
            "--env",
            "NAME",
            "A variable that the queue may set, besides those that begin with JOB_; may be repeated. '*': all except "
                    + "known variables that decide which code runs.");
    private final OptionalValue<String> name =
            option("--name", "NAME", "The name of this worker in lists. Default: the name of the machine.");

    private final AtomicInteger asked = new AtomicInteger();

    public WorkCommand(Connection connection) {
        super(
                connection,
                client -> client,
                "work",
                "Runs a command for each job of a queue, until it is stopped. The command gets the queue's instruction on "
                        + "standard input. SHEAF_JOB_FILE names the file with the job, SHEAF_BUNDLE_DIR the folder of "
                        + "its bundle. Exit status 0 completes the job; its output is the JSON in SHEAF_OUTPUT_FILE, or "
                        + "else what the command printed. 75 gives the job back, 65 fails it for good, any other status "
                        + "fails this try.");
        footer(
                "",
                "SIGTERM or Ctrl-C stops it after the running jobs, a second one immediately.",
                "",
                "Examples:",
                "  sheaf work reviews -- ./review.sh",
                "  sheaf work reviews --concurrency 4 -- claude -p");
        check(this::checkArguments);
        exit(this::work);
    }

    private void checkArguments() {
        refuse(concurrency.or(1) < 1 || concurrency.or(1) > MOST, "--concurrency must be 1 to " + MOST);
        refuse(maxJobs.or(1L) < 1, "--max-jobs must be at least 1");
        long seconds = lease.or(Duration.ofSeconds(5)).toSeconds();
        refuse(seconds < 5 || seconds > 600, "--lease must be 5s to 10m");
        variables
                .get()
                .forEach(variable -> refuse(
                        !JobEnvironment.canBeNamed(variable),
                        "--env " + TextFormat.showable(variable)
                                + ": a queue cannot set this variable; name another one"));
        String program = command.get().getFirst();
        refuse(
                ProgramFinder.find(program, connection.shell().environment()).isEmpty(),
                "cannot find the program " + TextFormat.showable(program));
    }

    private ExitCode work(SheafClient client) {
        output.waitInSilence();
        checkCache();
        var environment = connection.shell().environment();
        @Nullable Path setsid = ProgramFinder.find("setsid", environment).orElse(null);
        try (var place = WorkPlace.make(
                        workDir.or(connection.shell().cacheFolder().resolve("work")));
                var guard = setsid == null ? OrphanGuard.none() : OrphanGuard.start(setsid, place.folder())) {
            var words = new ArrayList<>(command.get());
            words.set(
                    0,
                    ProgramFinder.find(words.getFirst(), environment)
                            .orElseThrow()
                            .toString());
            var handler = new CommandHandler(
                    List.copyOf(words),
                    place,
                    new RunningCommand.Means(setsid, guard, grace.or(Duration.ofSeconds(10))),
                    new CommandHandler.Surroundings(
                            environment,
                            connection.url().toString(),
                            new JobEnvironment(Set.copyOf(variables.get())),
                            output::say));
            return work(client, handler);
        }
    }

    /// Jobs need the cache for their bundles: without it each would be claimed and fail.
    private void checkCache() {
        Path cache = connection.shell().cacheFolder();
        for (String part : List.of("blobs", "partial", "locks")) {
            var unwritable = DiskFailures.unwritable(cache.resolve(part));
            if (unwritable.isPresent()) {
                throw new SheafException.Local(
                        "no job was claimed: the cache " + cache + ", where bundles go, cannot be used: "
                                + unwritable.get() + "; choose another with SHEAF_CACHE_DIR",
                        null);
            }
        }
    }

    private ExitCode work(SheafClient client, CommandHandler handler) {
        var builder = client.worker(queue.get())
                .handler(handler)
                .concurrency(concurrency.or(1))
                .maxJobs(once.isGiven() ? 1 : maxJobs.or(Long.MAX_VALUE))
                .lease(lease.get())
                .name(
                        name.isGiven()
                                ? name.get()
                                : HostName.of(connection.shell().environment()))
                .type("sheaf-work")
                .listener(new WorkReport(output));
        if (once.isGiven() || untilEmpty.isGiven()) {
            builder.untilEmpty();
        }
        try (var worker = builder.start();
                var _ = SignalHandling.handling(() -> signalled(worker))) {
            try {
                worker.await();
            } catch (InterruptedException e) {
                worker.stop();
                Thread.currentThread().interrupt();
                return ExitCode.INTERRUPTED;
            }
            return (once.isGiven() || untilEmpty.isGiven()) && worker.failed() > 0 ? ExitCode.GENERAL : ExitCode.OK;
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
                            : "; " + TextFormat.count(running, "job")
                                    + " still running; a second signal returns them to the queue"));
        } else {
            worker.stop();
            output.say("returns " + TextFormat.count(worker.running(), "job") + " to the queue");
        }
    }
}
