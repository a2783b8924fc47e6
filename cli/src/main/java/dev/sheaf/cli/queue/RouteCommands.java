package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.EnabledOption;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.InputText;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.RepeatedValue;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.queue.JobRoutes;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.model.wire.queue.JobRoute;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The commands of `sheaf queue route`.
final class RouteCommands {
    private RouteCommands() {}

    static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(connections, "route", "Manages routes: each event of some types becomes a job.")
                .add(RouteCommands::list)
                .add(RouteCommands::add)
                .add(RouteCommands::edit)
                .add(RouteCommands::delete);
    }

    /// The options that say which events become which jobs.
    private record EventOptions(
            RepeatedValue<String> types, OptionalValue<String> subject, OptionalValue<String> template) {
        static EventOptions of(CliCommand command) {
            return new EventOptions(
                    command.commaOptions(
                            "--type",
                            "TYPE",
                            "Events of this type, such as version.published or version.*; may be repeated."),
                    command.option("--subject", "SUBJECT", "Only events with this subject, such as acme/kit:*."),
                    command.option(
                            "--input-file",
                            "FILE",
                            "Liquid template that produces the input as JSON. Default: the event is the input. - is"
                                    + " standard input."));
        }

        JobRoutes.Settings with(
                @Nullable String name, @Nullable UUID queue, @Nullable Boolean enabled, Connection connection) {
            String file = template.get();
            return new JobRoutes.Settings(
                    name,
                    types.orNull(),
                    subject.get(),
                    queue == null ? null : queue.toString(),
                    file == null
                            ? null
                            : InputText.read(file, connection.shell().in()),
                    enabled);
        }

        boolean isGiven() {
            return types.isGiven() || subject.isGiven() || template.isGiven();
        }
    }

    private static RequiredValue<String> route(CliCommand command) {
        return command.argument("ROUTE", "Name or id of the route.");
    }

    /// Returns the full id, which may take a request.
    private static UUID id(RequiredValue<String> typed, JobRoutes routes) {
        return IdOrEnd.named(typed.get(), "route", routes::list, JobRoute::id, JobRoute::name);
    }

    private static CliCommand list(Connection connection) {
        ResourceCommand<Queues> command =
                QueueCommands.queues(connection, "list", "Lists the routes.").alias("ls");
        return command.run(queues -> {
            var all = queues.routes().list();
            var slugs = all.isEmpty() ? Map.<UUID, String>of() : QueueCommands.slugs(queues);
            command.output.list(
                    all,
                    JobRoute::id,
                    new Table<JobRoute>()
                            .column("ID", JobRoute::id)
                            .column("STATE", RouteCommands::state)
                            .column("TYPES", route -> TextFormat.cut(String.join(",", route.eventTypes()), 40))
                            .column("SUBJECT", JobRoute::subject)
                            .column(
                                    "QUEUE",
                                    route -> slugs.getOrDefault(
                                            route.queueId(), route.queueId().toString()))
                            .column("NAME", JobRoute::name),
                    "there are no routes; to add one: sheaf queue route add --help");
        });
    }

    private static String state(JobRoute route) {
        if (route.enabled()) {
            return route.lastError() == null ? "enabled" : "failing";
        }
        return route.disabledReason() == null ? "disabled" : "disabled: " + route.disabledReason();
    }

    private static CliCommand add(Connection connection) {
        var command = QueueCommands.queues(
                        connection, "add", "Adds a route: each new event of these types becomes a job.")
                .footer("", "Example:", "  sheaf queue route add checks lint-new --type version.published");
        var queue = QueueCommands.queue(command);
        var name = command.argument("NAME", "Its name.");
        var events = EventOptions.of(command);
        return command.check(
                        () -> command.refuse(!events.types().isGiven(), "say which events: --type version.published"))
                .change(
                        queues -> queues.routes()
                                .create(events.with(
                                        name.get(), queues.get(queue.get()).id(), null, connection)),
                        JobRoute::id,
                        made -> "created the route " + made.name() + ": each event "
                                + String.join(" or ", made.eventTypes()) + " becomes a job of " + queue);
    }

    private static CliCommand edit(Connection connection) {
        var command = QueueCommands.queues(connection, "edit", "Changes a route. Settings that you do not name stay.");
        var route = route(command);
        var name = command.option("--name", "NAME", "Its name.");
        var queue = command.option("--queue", "QUEUE", "The queue that gets the jobs.");
        var events = EventOptions.of(command);
        var enabled = EnabledOption.of(command, "Create jobs from new events.", "Create no jobs.");
        return command.check(() -> {
                    enabled.check();
                    command.refuse(
                            !queue.isGiven() && !name.isGiven() && !events.isGiven() && enabled.get() == null,
                            "say what to change: --queue QUEUE, for example");
                })
                .change(
                        queues -> {
                            String slug = queue.get();
                            var other = slug == null ? null : queues.get(slug).id();
                            var routes = queues.routes();
                            return routes.edit(
                                    id(route, routes), events.with(name.get(), other, enabled.get(), connection));
                        },
                        JobRoute::id,
                        changed -> "changed the route " + changed.name() + (changed.enabled() ? "" : " (disabled)"));
    }

    private static CliCommand delete(Connection connection) {
        var command = QueueCommands.queues(connection, "delete", "Deletes a route. The jobs that it created stay.")
                .alias("rm");
        var route = route(command);
        return command.confirm(() -> "delete the route " + route + command.at())
                .remove(
                        queues -> id(route, queues.routes()),
                        (queues, id) -> queues.routes().delete(id),
                        _ -> "deleted the route " + route);
    }
}
