package dev.sheaf.cli.admin;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.Events;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.org.EventRecord;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The commands of `sheaf events`: events as they happen, or past ones.
public final class EventCommands {
    private static final Duration WAIT = Duration.ofSeconds(25);

    /// The calls of a command about the feed of an organization, or of the hub.
    private record Calls(SheafClient client, @Nullable String organization) {}

    private EventCommands() {}

    public static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(connections, "events", "Shows events as they happen, or past ones.")
                .add(connection -> feed(
                        connection,
                        "tail",
                        "Shows events as they happen, one per line, until it is stopped.",
                        EventCommands::tail))
                .add(connection -> feed(
                        connection,
                        "replay",
                        "Shows past events, the oldest first, one per line, as far back as they are kept.",
                        EventCommands::replay));
    }

    private static CliCommand feed(
            Connection connection, String name, String description, BiConsumer<Feed, Output> work) {
        var command = ResourceCommand.ofOrganization(connection, Calls::new, name, description);
        var hub = command.flag("--hub", "Events of all public bundles instead of one organization's.");
        var types = command.options(
                "--type", "TYPE", "Only events of this type, such as version.published or version.*; may be repeated.");
        var subject = command.option(
                "--subject", "SUBJECT", "Only events with this subject, such as acme/kit or acme/kit:*.");
        return command.run(calls -> work.accept(
                new Feed(
                        hub.isGiven()
                                ? calls.client().hub().events()
                                : calls.client().events(calls.organization()),
                        new Events.Filter(types.get(), subject.get())),
                command.output));
    }

    private record Feed(Events events, Events.Filter filter) {
        Page<EventRecord> after(@Nullable String cursor, Duration wait) {
            return events.after(cursor, filter, wait);
        }
    }

    private static void tail(Feed feed, Output output) {
        output.waitInSilence();
        output.say("showing new events; press Ctrl-C to stop");
        for (String cursor = Events.LATEST; ; ) {
            var page = feed.after(cursor, WAIT);
            page.data().forEach(event -> print(event, output));
            cursor = Objects.requireNonNull(page.meta().nextCursor());
        }
    }

    private static void replay(Feed feed, Output output) {
        var page = feed.after(null, Duration.ZERO);
        if (page.data().isEmpty()) {
            output.say("no event matches, as far back as events are kept");
        }
        page.data().forEach(event -> print(event, output));
        while (page.meta().hasMore()) {
            page = feed.after(Objects.requireNonNull(page.meta().nextCursor()), Duration.ZERO);
            page.data().forEach(event -> print(event, output));
        }
    }

    private static void print(EventRecord event, Output output) {
        output.line(
                event,
                TextFormat.time(event.time()) + "  " + event.type() + "  " + event.subject() + actor(event),
                event.type() + " " + event.subject());
    }

    private static String actor(EventRecord event) {
        return event.data().get("actor") instanceof Map<?, ?> actor && actor.get("name") != null
                ? "  by " + actor.get("name")
                : "";
    }
}
