package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Words;
import dev.sheaf.client.queue.QueueSettings;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.queue.ExecutionDefaults;
import dev.sheaf.model.wire.queue.Queue;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The settings of a queue, as options of `create` and `edit`.
final class QueueOptions {
    @Option(names = "--description", paramLabel = "TEXT", description = "What the queue is for.")
    private @Nullable String description;

    @Option(
            names = "--bundle",
            paramLabel = "REF",
            description =
                    "The bundle that its jobs use, such as acme/kit:^1; each job keeps the version of its first try.")
    private @Nullable String bundle;

    @Option(
            names = "--habitat",
            paramLabel = "HABITAT",
            description = "Slug or id of the habitat in which its jobs run. Default: the habitat \"default\".")
    private @Nullable String habitat;

    @Option(
            names = "--max-attempts",
            paramLabel = "N",
            description = "How many tries a job has before it is dead. Default: 3.")
    private @Nullable Integer attempts;

    @Option(
            names = "--lease",
            paramLabel = "PERIOD",
            description =
                    "How long a worker may be silent before its job is given to another, 5s to 10m." + " Default: 45s.")
    private @Nullable Duration lease;

    @Option(names = "--timeout", paramLabel = "PERIOD", description = "How long a job may run. Default: 10m.")
    private @Nullable Duration timeout;

    @Option(names = "--max-running", paramLabel = "N", description = "How many jobs may run at a time; 0: no limit.")
    private @Nullable Integer running;

    @Option(names = "--max-depth", paramLabel = "N", description = "How many jobs may wait. Default: 100000.")
    private @Nullable Integer depth;

    @Option(
            names = "--retry",
            paramLabel = "BASE..CAP",
            description =
                    "How long a failed job waits: a random time that grows from BASE to CAP." + " Default: 5s..15m.")
    private @Nullable String retry;

    @Option(
            names = "--keep",
            paramLabel = "PERIOD",
            description = "How long finished jobs are kept, in full days. Default: 30d.")
    private @Nullable Duration keep;

    @Option(
            names = "--harness",
            paramLabel = "TYPE",
            description = "The kind of program that does the work. Default: shell.")
    private @Nullable String harness;

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "A variable that workers set; may be repeated. Hidden from users who may only read.")
    private @Nullable Map<String, String> environment;

    @Option(
            names = "--event",
            paramLabel = "END",
            split = ",",
            description = "End states of jobs that become events: completed, failed, dead, cancelled; may be repeated.")
    private @Nullable List<String> events;

    /// Returns the settings that were typed.
    ///
    /// @param before the present settings of the execution; settings that were not typed keep these values
    QueueSettings settings(@Nullable ExecutionDefaults before) {
        return QueueSettings.NONE
                .description(description)
                .bundle(bundle)
                .habitat(habitat)
                .maxAttempts(attempts)
                .leaseSeconds(seconds(lease))
                .timeoutSeconds(seconds(timeout))
                .maxRunning(running)
                .maxDepth(depth)
                .retry(retry())
                .retentionDays(keep == null ? null : Math.toIntExact(keep.toDays()))
                .harnessType(harness)
                .execution(execution(before))
                .events(events);
    }

    /// Returns the typed settings with the id of the habitat, which takes a request.
    QueueSettings settings(@Nullable ExecutionDefaults before, Queues queues) {
        var settings = settings(before);
        return habitat == null
                ? settings
                : settings.habitat(queues.habitat(habitat).id().toString());
    }

    /// Returns whether the execution changes; its present settings are then needed.
    boolean changesExecution() {
        return environment != null;
    }

    private @Nullable ExecutionDefaults execution(@Nullable ExecutionDefaults before) {
        if (environment == null) {
            return null;
        }
        return before == null
                ? new ExecutionDefaults(null, environment, null, null)
                : new ExecutionDefaults(before.workingDirectory(), environment, before.sandbox(), before.constraints());
    }

    private static @Nullable Integer seconds(@Nullable Duration period) {
        return period == null ? null : Math.toIntExact(Math.min(Integer.MAX_VALUE, period.toSeconds()));
    }

    private Queue.@Nullable Retry retry() {
        if (retry == null) {
            return null;
        }
        int dots = retry.indexOf("..");
        if (dots < 0) {
            throw Problem.invalid("format", "--retry: write the first and the longest wait, such as 5s..15m");
        }
        int base = wait(retry.substring(0, dots));
        int cap = wait(retry.substring(dots + 2));
        if (cap < base) {
            throw Problem.invalid("range", "--retry: the longest wait is less than the first one; write 5s..15m");
        }
        return new Queue.Retry(base, cap);
    }

    private static int wait(String period) {
        try {
            return Math.toIntExact(
                    Duration.parse(String.valueOf(Words.iso(period))).toSeconds());
        } catch (DateTimeException | ArithmeticException e) {
            throw Problem.invalid("format", "--retry: write the first and the longest wait, such as 5s..15m");
        }
    }
}
