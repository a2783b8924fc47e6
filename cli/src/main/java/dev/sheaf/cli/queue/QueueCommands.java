package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.Removed;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.cli.terminal.Summary;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.model.wire.queue.JobRoute;
import dev.sheaf.model.wire.queue.Queue;
import dev.sheaf.model.wire.queue.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The commands of `sheaf queue` about one queue.
public final class QueueCommands {
    private QueueCommands() {}

    /// The end states of jobs.
    static final List<String> ENDS = List.of("completed", "failed", "dead", "cancelled");

    @Command(
            name = "create",
            description = "Creates a queue.",
            footer = {
                "",
                "Examples:",
                "  sheaf queue create reviews --bundle acme/review-kit:^1",
                "  sheaf queue create nightly --name 'Nightly checks' --timeout 1h --max-running 2"
            })
    public static final class Create extends QueueCommand.OfOrganization {
        @Parameters(
                paramLabel = "SLUG",
                description = "Its slug, the name in commands: lower-case letters, digits, inner hyphens.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String slug;

        @Option(names = "--name", paramLabel = "NAME", description = "Display name. Default: the slug.")
        private @Nullable String name;

        @Mixin
        private final QueueOptions options = new QueueOptions();

        public Create(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var queues = queues(client);
            var settings = options.settings(null, queues).slug(slug).name(name == null ? slug : name);
            var queue = queues.create(settings);
            output.done(
                    queue,
                    queue.slug(),
                    "created the queue " + queue.slug() + "; to fill it: sheaf jobs add " + queue.slug() + " '{…}'");
            return ExitCode.OK;
        }
    }

    @Command(name = "show", description = "Shows everything about a queue, and how many jobs it has.")
    public static final class Show extends QueueCommand.OfQueue {
        public Show(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var queues = queues(client);
            var found = queues.get(queue);
            output.show(
                    found, shell -> summary(found, habitat(queues, found)).print(shell), () -> List.of(found.slug()));
            return ExitCode.OK;
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
                            queue.retry().baseSeconds() + " s to "
                                    + queue.retry().capSeconds() + " s before another try")
                    .line("lease", queue.leaseSeconds() + " s")
                    .line("timeout", queue.timeoutSeconds() + " s")
                    .line("most running", queue.maxRunning())
                    .line("most waiting", queue.maxDepth())
                    .line("kept", Text.count(queue.retentionDays(), "day"))
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
    }

    @Command(
            name = "edit",
            description = "Changes a queue. Settings that you do not name stay; an empty string removes the value.")
    public static final class Edit extends QueueCommand.OfQueue {
        @Option(names = "--name", paramLabel = "NAME", description = "Display name.")
        private @Nullable String name;

        @Mixin
        private final QueueOptions options = new QueueOptions();

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        public Edit(Connection connection) {
            super(connection);
        }

        @Override
        protected boolean ready() {
            if (options.settings(null).name(name).isEmpty()) {
                throw new ParameterException(spec.commandLine(), "say what to change: --timeout 30m, for example");
            }
            return true;
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var queues = queues(client);
            var before = options.changesExecution() ? queues.get(queue).execution() : null;
            var changed = queues.edit(queue, options.settings(before, queues).name(name));
            output.done(changed, changed.slug(), "changed the queue " + changed.slug());
            return ExitCode.OK;
        }
    }

    /// Pauses, resumes or archives.
    public static final class Switch extends QueueCommand.OfQueue {
        /// The change.
        interface Change {
            Queue of(Queues queues, String queue);
        }

        private final Change change;

        Switch(Change change, Connection connection) {
            super(connection);
            this.change = change;
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var changed = change.of(queues(client), queue);
            output.done(changed, changed.status(), "the queue " + changed.slug() + " is " + changed.status());
            return ExitCode.OK;
        }
    }

    @Command(
            name = "delete",
            aliases = "rm",
            description =
                    "Deletes a queue without jobs, its instructions, schedules and routes; with --force also its jobs.")
    public static final class Delete extends QueueCommand.OfQueue {
        @Option(names = "--force", description = "Also delete its jobs in any state; needs the scope admin.")
        private boolean force;

        @Mixin
        private final Confirmation confirmation;

        public Delete(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            return confirmation.given(
                    "delete the queue " + queue + (force ? " with all its jobs" : "") + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var queues = queues(client);
            String more = others(queues);
            queues.delete(queue, force);
            output.done(new Removed(queue), queue, "deleted the queue " + queue + more);
            return ExitCode.OK;
        }

        /// Returns what is deleted with the queue, such as ` and its routes lint-new`.
        private String others(Queues queues) {
            try {
                var id = queues.get(queue).id();
                var routes = queues.routes().list().stream()
                        .filter(route -> route.queueId().equals(id))
                        .map(JobRoute::name)
                        .toList();
                var schedules = queues.schedules(queue).list().stream()
                        .map(Schedule::name)
                        .toList();
                return words("routes", routes) + words("schedules", schedules);
            } catch (SheafException.NotFound | SheafException.Forbidden e) {
                return ""; // the deletion says so, or this key sees only the queue
            }
        }

        private static String words(String what, List<String> names) {
            return names.isEmpty() ? "" : ", and its " + what + " " + String.join(", ", names);
        }
    }
}
