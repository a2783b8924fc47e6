package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.Removed;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.queue.JobRoutes;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.model.wire.queue.JobRoute;
import dev.sheaf.model.wire.queue.Queue;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The commands of `sheaf queue route`.
public final class RouteCommands {
    private RouteCommands() {}

    @Command(
            name = "route",
            description = "Manages routes: each event of some types becomes a job.",
            synopsisSubcommandLabel = "COMMAND")
    private record Group() {}

    static CommandLine of(Supplier<Connection> connections) {
        return new CommandLine(new Group())
                .addSubcommand(new ListAll(connections.get()))
                .addSubcommand(new Add(connections.get()))
                .addSubcommand(new Edit(connections.get()))
                .addSubcommand(new Delete(connections.get()));
    }

    /// The options that say which events become which jobs.
    static final class Aim {
        @Option(
                names = "--type",
                paramLabel = "TYPE",
                split = ",",
                description = "Events of this type, such as version.published or version.*; may be repeated.")
        private @Nullable List<String> types;

        @Option(
                names = "--subject",
                paramLabel = "SUBJECT",
                description = "Only events with this subject, such as acme/kit:*.")
        private @Nullable String subject;

        @Option(
                names = "--input-file",
                paramLabel = "FILE",
                description = "Liquid template that produces the input as JSON. Default: the event is the input. - is"
                        + " standard input.")
        private @Nullable String template;

        private JobRoutes.Settings with(
                @Nullable String name, @Nullable UUID queue, @Nullable String template, @Nullable Boolean enabled) {
            return new JobRoutes.Settings(
                    name, types, subject, queue == null ? null : queue.toString(), template, enabled);
        }

        private @Nullable String template(Connection connection) {
            return template == null
                    ? null
                    : InputText.read(template, connection.shell().in());
        }
    }

    /// A command about one route.
    abstract static class OfRoute extends QueueCommand.OfOrganization {
        @Parameters(index = "0", paramLabel = "ROUTE", description = "Name or id of the route.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        String route;

        OfRoute(Connection connection) {
            super(connection);
        }

        JobRoutes routes(SheafClient client) {
            return queues(client).routes();
        }

        /// Returns the full id, which may take a request.
        UUID id(SheafClient client) {
            return IdOrEnd.named(route, "route", routes(client)::list, JobRoute::id, JobRoute::name);
        }
    }

    @Command(name = "list", aliases = "ls", description = "Lists the routes.")
    public static final class ListAll extends QueueCommand.OfOrganization {
        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var queues = queues(client);
            var all = queues.routes().list();
            var table = new Table("ID", "STATE", "TYPES", "SUBJECT", "QUEUE", "NAME");
            var slugs = all.isEmpty()
                    ? Map.<UUID, String>of()
                    : queues.list(null, null).stream().collect(Collectors.toMap(Queue::id, Queue::slug));
            all.forEach(one -> table.row(
                    one.id(),
                    state(one),
                    Text.cut(String.join(",", one.eventTypes()), 40),
                    one.subject() == null ? "-" : one.subject(),
                    slugs.getOrDefault(one.queueId(), one.queueId().toString()),
                    one.name()));
            output.list(all, JobRoute::id, table, "there are no routes; to add one: sheaf queue route add --help");
            return ExitCode.OK;
        }

        private static String state(JobRoute route) {
            if (route.enabled()) {
                return route.lastError() == null ? "enabled" : "failing";
            }
            return route.disabledReason() == null ? "disabled" : "disabled: " + route.disabledReason();
        }
    }

    @Command(
            name = "add",
            description = "Adds a route: each new event of these types becomes a job.",
            footer = {"", "Example:", "  sheaf queue route add checks lint-new --type version.published"})
    public static final class Add extends QueueCommand.OfQueue {
        @Parameters(index = "1", paramLabel = "NAME", description = "Its name.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String name;

        @Mixin
        private final Aim aim = new Aim();

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        public Add(Connection connection) {
            super(connection);
        }

        @Override
        protected boolean ready() {
            if (aim.types == null) {
                throw new ParameterException(spec.commandLine(), "say which events: --type version.published");
            }
            return true;
        }

        @Override
        protected ExitCode run(SheafClient client) {
            Queues queues = queues(client);
            var settings = aim.with(name, queues.get(queue).id(), aim.template(connection), null);
            var made = queues.routes().create(settings);
            output.done(
                    made,
                    made.id(),
                    "created the route " + made.name() + ": each event " + String.join(" or ", made.eventTypes())
                            + " becomes a job of " + queue);
            return ExitCode.OK;
        }
    }

    @Command(name = "edit", description = "Changes a route. Settings that you do not name stay.")
    public static final class Edit extends OfRoute {
        @Option(names = "--name", paramLabel = "NAME", description = "Its name.")
        private @Nullable String name;

        @Option(names = "--queue", paramLabel = "QUEUE", description = "The queue that gets the jobs.")
        private @Nullable String queue;

        @Mixin
        private final Aim aim = new Aim();

        @Option(names = "--enable", description = "Create jobs from new events.")
        private boolean enable;

        @Option(names = "--disable", description = "Create no jobs.")
        private boolean disable;

        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private CommandSpec spec;

        public Edit(Connection connection) {
            super(connection);
        }

        private @Nullable Boolean enabled() {
            return enable ? Boolean.TRUE : disable ? Boolean.FALSE : null;
        }

        @Override
        protected boolean ready() {
            if (enable && disable) {
                throw new ParameterException(spec.commandLine(), "give --enable or --disable, not both");
            }
            if (queue == null && aim.with(name, null, aim.template, enabled()).isEmpty()) {
                throw new ParameterException(spec.commandLine(), "say what to change: --queue QUEUE, for example");
            }
            return true;
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var other = queue == null ? null : queues(client).get(queue).id();
            var changed = routes(client).edit(id(client), aim.with(name, other, aim.template(connection), enabled()));
            output.done(
                    changed,
                    changed.id(),
                    "changed the route " + changed.name() + (changed.enabled() ? "" : " (disabled)"));
            return ExitCode.OK;
        }
    }

    @Command(name = "delete", aliases = "rm", description = "Deletes a route. The jobs that it created stay.")
    public static final class Delete extends OfRoute {
        @Mixin
        private final Confirmation confirmation;

        public Delete(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            return confirmation.given("delete the route " + route + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var whole = id(client);
            routes(client).delete(whole);
            output.done(new Removed(whole.toString()), whole, "deleted the route " + route);
            return ExitCode.OK;
        }
    }
}
