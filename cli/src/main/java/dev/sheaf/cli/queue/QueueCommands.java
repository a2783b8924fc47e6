package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.model.wire.queue.Job;
import dev.sheaf.model.wire.queue.JobRoute;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.model.wire.queue.QueueStats;
import dev.sheaf.model.wire.queue.Schedule;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The commands of `sheaf queue`.
public final class QueueCommands {
    /// The end states of jobs.
    static final List<String> ENDS = List.of("completed", "failed", "dead", "cancelled");

    private static final Table<Queue> TABLE = new Table<Queue>()
            .column("QUEUE", Queue::slug)
            .column("STATUS", Queue::status)
            .number("WAITING", queue -> queue.counts().queued() + queue.counts().scheduled())
            .number(
                    "RUNNING",
                    queue -> queue.counts().claimed() + queue.counts().running())
            .number("FAILED", queue -> queue.counts().failed())
            .number("DEAD", queue -> queue.counts().dead())
            .column("NAME", Queue::name);

    private static final Table<Map.Entry<String, Long>> FAILURES = new Table<Map.Entry<String, Long>>()
            .number("FAILURES", Map.Entry::getValue)
            .column("CODE", Map.Entry::getKey);

    private QueueCommands() {}

    public static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(
                        connections,
                        "queue",
                        "Manages queues of jobs, their instructions and schedules. To manage the jobs: sheaf jobs.")
                .add(QueueCommands::list)
                .add(QueueCommands::create)
                .add(QueueCommands::show)
                .add(QueueCommands::edit)
                .add(connection -> changeState(
                        connection, "pause", "Pauses a queue: workers get no jobs until queue resume.", Queues::pause))
                .add(connection ->
                        changeState(connection, "resume", "Resumes a queue: workers get jobs again.", Queues::resume))
                .add(connection -> changeState(
                        connection,
                        "archive",
                        "Archives a queue: it takes no new jobs, and keeps the old ones.",
                        Queues::archive))
                .add(QueueCommands::delete)
                .add(QueueCommands::purge)
                .add(QueueCommands::stats)
                .add(InstructionCommands.of(connections))
                .add(ScheduleCommands.of(connections))
                .add(RouteCommands.of(connections))
                .add(HabitatCommands.of(connections))
                .add(WorkerCommands.of(connections));
    }

    static ResourceCommand<Queues> queues(Connection connection, String name, String description) {
        return ResourceCommand.ofOrganization(connection, SheafClient::queues, name, description);
    }

    static RequiredValue<String> queue(CliCommand command) {
        return command.argument("QUEUE", "Slug or id of the queue.");
    }

    /// Returns the slugs of all queues by their ids.
    static Map<UUID, String> slugs(Queues queues) {
        return queues.list(null, null).stream().collect(Collectors.toMap(Queue::id, Queue::slug));
    }

    private static CliCommand list(Connection connection) {
        var command = queues(connection, "list", "Lists the queues.").alias("ls");
        var status = command.option("--status", "STATUS", "Only queues in this state: active, paused or archived.");
        var text = command.option("--matching", "TEXT", "Only queues with this text in slug or name.");
        return command.list(
                queues -> queues.list(status.get(), text.get()),
                Queue::slug,
                TABLE,
                "there are no queues; to create one: sheaf queue create NAME");
    }

    private static CliCommand create(Connection connection) {
        var command = queues(connection, "create", "Creates a queue.")
                .footer(
                        "",
                        "Examples:",
                        "  sheaf queue create reviews --bundle acme/review-kit:^1",
                        "  sheaf queue create nightly --name 'Nightly checks' --timeout 1h --max-running 2");
        var slug =
                command.argument("SLUG", "Its slug, the name in commands: lower-case letters, digits, inner hyphens.");
        var name = command.option("--name", "NAME", "Display name. Default: the slug.");
        var options = new QueueOptions(command);
        return command.change(
                queues -> queues.create(
                        options.settings(null, queues).slug(slug.get()).name(name.or(slug.get()))),
                Queue::slug,
                made -> "created the queue " + made.slug() + "; to fill it: sheaf jobs add " + made.slug() + " '{…}'");
    }

    private static CliCommand show(Connection connection) {
        var command = queues(connection, "show", "Shows everything about a queue, and how many jobs it has.");
        var queue = queue(command);
        return command.run(queues -> {
            var found = queues.get(queue.get());
            command.output.show(
                    found, shell -> summary(found, habitat(queues, found)).print(shell), () -> List.of(found.slug()));
        });
    }

    /// Returns the slug of the habitat, or its id if the key may not see the habitat.
    private static String habitat(Queues queues, Queue queue) {
        try {
            return queues.habitat(queue.habitatId().toString()).slug();
        } catch (SheafException.NotFound | SheafException.Forbidden e) {
            return queue.habitatId().toString();
        }
    }

    private static Summary summary(Queue queue, String habitat) {
        var instruction = queue.activeInstruction();
        var execution = queue.execution();
        Map<String, String> environment = execution == null ? null : execution.environment();
        return new Summary()
                .line("queue", queue.slug())
                .line("id", queue.id())
                .line("name", queue.name())
                .line("description", queue.description())
                .line("status", queue.status())
                .line("habitat", habitat)
                .line("jobs", counts(queue.counts()))
                .line("oldest", queue.oldestQueuedAt())
                .line("instruction", instruction == null ? "none is active" : instruction.slug())
                .line("bundle", queue.bundle())
                .line("harness", queue.harnessType())
                .line("variables", environment == null ? null : List.copyOf(environment.keySet()))
                .line("tries", queue.maxAttempts())
                .line(
                        "waits",
                        queue.retry().baseSeconds() + " s to " + queue.retry().capSeconds() + " s before another try")
                .line("lease", queue.leaseSeconds() + " s")
                .line("timeout", queue.timeoutSeconds() + " s")
                .line("most running", queue.maxRunning())
                .line("most waiting", queue.maxDepth())
                .line("kept", TextFormat.count(queue.retentionDays(), "day"))
                .line("events", queue.events())
                .line("created", queue.createdAt())
                .line("updated", queue.updatedAt());
    }

    private static String counts(Queue.Counts counts) {
        var words = new ArrayList<String>();
        add(words, counts.queued(), "queued");
        add(words, counts.scheduled(), "scheduled");
        add(words, counts.claimed(), "claimed");
        add(words, counts.running(), "running");
        add(words, counts.completed(), "completed");
        add(words, counts.failed(), "failed");
        add(words, counts.dead(), "dead");
        add(words, counts.cancelled(), "cancelled");
        return words.isEmpty() ? "none" : String.join(", ", words);
    }

    private static void add(List<String> words, long count, String word) {
        if (count > 0) {
            words.add(count + " " + word);
        }
    }

    private static CliCommand edit(Connection connection) {
        var command = queues(
                connection,
                "edit",
                "Changes a queue. Settings that you do not name stay; an empty string removes the value.");
        var queue = queue(command);
        var name = command.option("--name", "NAME", "Display name.");
        var options = new QueueOptions(command);
        return command.check(() -> command.refuse(
                        options.settings(null).name(name.get()).isEmpty(),
                        "say what to change: --timeout 30m, for example"))
                .change(
                        queues -> {
                            var before = options.changesExecution()
                                    ? queues.get(queue.get()).execution()
                                    : null;
                            return queues.edit(
                                    queue.get(),
                                    options.settings(before, queues).name(name.get()));
                        },
                        Queue::slug,
                        changed -> "changed the queue " + changed.slug());
    }

    private static CliCommand changeState(
            Connection connection, String name, String description, BiFunction<Queues, String, Queue> change) {
        var command = queues(connection, name, description);
        var queue = queue(command);
        return command.change(
                queues -> change.apply(queues, queue.get()),
                Queue::status,
                changed -> "the queue " + changed.slug() + " is " + changed.status());
    }

    private static CliCommand delete(Connection connection) {
        var command = queues(
                        connection,
                        "delete",
                        "Deletes a queue without jobs, its instructions, schedules and routes; with --force also its "
                                + "jobs.")
                .alias("rm");
        var queue = queue(command);
        var force = command.flag("--force", "Also delete its jobs in any state; needs the scope admin.");
        return command.confirm(() ->
                        "delete the queue " + queue + (force.isGiven() ? " with all its jobs" : "") + command.at())
                .run(queues -> {
                    String others = others(queues, queue.get());
                    queues.delete(queue.get(), force.isGiven());
                    command.removed(queue.get(), "deleted the queue " + queue + others);
                });
    }

    /// Returns what is deleted with the queue, such as ` and its routes lint-new`.
    private static String others(Queues queues, String queue) {
        try {
            var id = queues.get(queue).id();
            var routes = queues.routes().list().stream()
                    .filter(route -> route.queueId().equals(id))
                    .map(JobRoute::name)
                    .toList();
            var schedules =
                    queues.schedules(queue).list().stream().map(Schedule::name).toList();
            return words("routes", routes) + words("schedules", schedules);
        } catch (SheafException.NotFound | SheafException.Forbidden e) {
            return ""; // the deletion says so, or this key sees only the queue
        }
    }

    private static String words(String what, List<String> names) {
        return names.isEmpty() ? "" : ", and its " + what + " " + String.join(", ", names);
    }

    private static CliCommand purge(Connection connection) {
        var command = queues(
                        connection,
                        "purge",
                        "Deletes ended jobs of a queue, such as dead ones. To delete single jobs: sheaf jobs delete.")
                .footer("", "Example:", "  sheaf queue purge reviews --status failed,dead --error exit_3");
        var queue = queue(command);
        var typed = command.commaOptions(
                "--status",
                "END",
                "Jobs in this state: completed, failed, dead or cancelled; may be repeated. Default: all four.");
        var options = EndedOptions.of(command);
        Supplier<List<String>> statuses = () -> typed.isGiven() ? typed.get() : ENDS;
        return command.confirm(() -> "delete the jobs of " + queue + " that are " + String.join(", ", statuses.get())
                        + options.words() + command.at())
                .change(
                        queues -> new Job.Count(queues.purge(queue.get(), options.of(statuses.get()))),
                        Job.Count::count,
                        deleted -> "deleted " + TextFormat.count(deleted.count(), "job"));
    }

    private static CliCommand stats(Connection connection) {
        var command = queues(connection, "stats", "Shows the latest numbers and failures of a queue.");
        var queue = queue(command);
        var window = command.option(Duration.class, "--window", "PERIOD", "How far back. Default: 1h.");
        return command.run(queues -> {
            var stats = queues.stats(queue.get(), window.or(Duration.ofHours(1)));
            var failures = stats.failuresByErrorCode().entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue()
                            .reversed()
                            .thenComparing(Map.Entry.comparingByKey()))
                    .toList();
            command.output.show(
                    stats,
                    shell -> {
                        statistics(stats).print(shell);
                        if (!failures.isEmpty()) {
                            shell.out().println();
                            FAILURES.print(shell, failures, "");
                        }
                    },
                    () -> List.of(stats.enqueued(), stats.finished()));
        });
    }

    private static Summary statistics(QueueStats stats) {
        return new Summary()
                .line("window", window(stats.window()))
                .line("enqueued", stats.enqueued() + rate(stats.enqueuedPerMinute()))
                .line("finished", stats.finished() + rate(stats.finishedPerMinute()))
                .line("wait time", times(stats.waitMs()))
                .line("run time", times(stats.runMs()))
                .line("oldest queued", stats.oldestQueuedAt())
                .line("note", stats.sampled() ? "times and failures are from the last 10,000 jobs" : null);
    }

    private static String window(String period) {
        try {
            return TextFormat.period(Duration.parse(period));
        } catch (DateTimeException e) {
            return period;
        }
    }

    private static String rate(double perMinute) {
        return perMinute < 0.05 ? "" : " (%.1f a minute)".formatted(perMinute);
    }

    private static @Nullable String times(QueueStats.@Nullable Times times) {
        return times == null ? null : "median " + times.p50() + " ms, 95th percentile " + times.p95() + " ms";
    }
}
