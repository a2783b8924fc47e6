package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.RepeatedValue;
import dev.sheaf.cli.command.ValueParsers;
import dev.sheaf.client.queue.QueueSettings;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.queue.ExecutionDefaults;
import dev.sheaf.model.wire.queue.Queue;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The settings of a queue, as options of `create` and `edit`.
final class QueueOptions {
    private final OptionalValue<String> description;
    private final OptionalValue<String> bundle;
    private final OptionalValue<String> habitat;
    private final OptionalValue<Integer> attempts;
    private final OptionalValue<Duration> lease;
    private final OptionalValue<Duration> timeout;
    private final OptionalValue<Integer> running;
    private final OptionalValue<Integer> depth;
    private final OptionalValue<String> retry;
    private final OptionalValue<Duration> keep;
    private final OptionalValue<String> harness;
    private final OptionalValue<Map<String, String>> environment;
    private final RepeatedValue<String> events;

    QueueOptions(CliCommand command) {
        description = command.option("--description", "TEXT", "What the queue is for.");
        bundle = command.option(
                "--bundle",
                "REF",
                "The bundle that its jobs use, such as acme/kit:^1; each job keeps the version of its first try.");
        habitat = command.option(
                "--habitat",
                "HABITAT",
                "Slug or id of the habitat in which its jobs run. Default: the habitat \"default\".");
        attempts = command.option(
                Integer.class, "--max-attempts", "N", "How many tries a job has before it is dead. Default: 3.");
        lease = command.option(
                Duration.class,
                "--lease",
                "PERIOD",
                "How long a worker may be silent before its job is given to another, 5s to 10m. Default: 45s.");
        timeout = command.option(Duration.class, "--timeout", "PERIOD", "How long a job may run. Default: 10m.");
        running = command.option(Integer.class, "--max-running", "N", "How many jobs may run at a time; 0: no limit.");
        depth = command.option(Integer.class, "--max-depth", "N", "How many jobs may wait. Default: 100000.");
        retry = command.option(
                "--retry",
                "BASE..CAP",
                "How long a failed job waits: a random time that grows from BASE to CAP. Default: 5s..15m.");
        keep = command.option(
                Duration.class, "--keep", "PERIOD", "How long finished jobs are kept, in full days. Default: 30d.");
        harness = command.option("--harness", "TYPE", "The kind of program that does the work. Default: shell.");
        environment = command.pairs(
                "--env", "A variable that workers set; may be repeated. Hidden from users who may only read.");
        events = command.commaOptions(
                "--event",
                "END",
                "End states of jobs that become events: completed, failed, dead, cancelled; may be repeated.");
    }

    /// Returns the settings that were typed.
    ///
    /// @param before the present settings of the execution; settings that were not typed keep these values
    QueueSettings settings(@Nullable ExecutionDefaults before) {
        return QueueSettings.NONE
                .description(description.get())
                .bundle(bundle.get())
                .habitat(habitat.get())
                .maxAttempts(attempts.get())
                .leaseSeconds(seconds(lease.get()))
                .timeoutSeconds(seconds(timeout.get()))
                .maxRunning(running.get())
                .maxDepth(depth.get())
                .retry(retry())
                .retentionDays(days(keep.get()))
                .harnessType(harness.get())
                .execution(execution(before))
                .events(events.orNull());
    }

    /// Returns the typed settings with the id of the habitat, which takes a request.
    QueueSettings settings(@Nullable ExecutionDefaults before, Queues queues) {
        var settings = settings(before);
        String slug = habitat.get();
        return slug == null
                ? settings
                : settings.habitat(queues.habitat(slug).id().toString());
    }

    /// Returns whether the execution changes; its present settings are then needed.
    boolean changesExecution() {
        return environment.isGiven();
    }

    private @Nullable ExecutionDefaults execution(@Nullable ExecutionDefaults before) {
        var variables = environment.get();
        if (variables == null) {
            return null;
        }
        return before == null
                ? new ExecutionDefaults(null, variables, null, null)
                : new ExecutionDefaults(before.workingDirectory(), variables, before.sandbox(), before.constraints());
    }

    private static @Nullable Integer seconds(@Nullable Duration period) {
        return period == null ? null : Math.toIntExact(Math.min(Integer.MAX_VALUE, period.toSeconds()));
    }

    private static @Nullable Integer days(@Nullable Duration period) {
        return period == null ? null : Math.toIntExact(period.toDays());
    }

    private Queue.@Nullable Retry retry() {
        String typed = retry.get();
        if (typed == null) {
            return null;
        }
        int dots = typed.indexOf("..");
        if (dots < 0) {
            throw Problem.invalid("format", "--retry: write the first and the longest wait, such as 5s..15m");
        }
        int base = wait(typed.substring(0, dots));
        int cap = wait(typed.substring(dots + 2));
        if (cap < base) {
            throw Problem.invalid("range", "--retry: the longest wait is less than the first one; write 5s..15m");
        }
        return new Queue.Retry(base, cap);
    }

    private static int wait(String period) {
        try {
            return Math.toIntExact(
                    Duration.parse(String.valueOf(ValueParsers.iso(period))).toSeconds());
        } catch (DateTimeException | ArithmeticException e) {
            throw Problem.invalid("format", "--retry: write the first and the longest wait, such as 5s..15m");
        }
    }
}
