package dev.sheaf.cli.admin;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.OrganizationOption;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.Events;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.wire.org.EventRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Groups the commands about events, as they happen or past ones.
@Command(
        name = "events",
        description = "Shows events as they happen, or past ones.",
        synopsisSubcommandLabel = "COMMAND")
public final class EventsCommand {
    /// Returns the group with its commands.
    public static CommandLine of(Supplier<Connection> connections) {
        return new CommandLine(new EventsCommand())
                .addSubcommand(new Tail(connections.get()))
                .addSubcommand(new Replay(connections.get()));
    }

    /// A command about one feed of events.
    abstract static class OfFeed extends RegistryCommand {
        @Mixin
        private final OrganizationOption organization = new OrganizationOption();

        @Option(names = "--hub", description = "Events of all public bundles instead of one organization's.")
        private boolean hub;

        @Option(
                names = "--type",
                paramLabel = "TYPE",
                description = "Only events of this type, such as version.published or version.*; may be repeated.")
        private List<String> types = new ArrayList<>();

        @Option(
                names = "--subject",
                paramLabel = "SUBJECT",
                description = "Only events with this subject, such as acme/kit or acme/kit:*.")
        private @Nullable String subject;

        boolean printed;

        OfFeed(Connection connection) {
            super(connection);
        }

        Events events(SheafClient client) {
            return hub ? client.hub().events() : client.events(organization.value());
        }

        /// Prints the events after a cursor.
        ///
        /// @return the next cursor; null at the end if the command does not wait
        @Nullable
        String print(Events events, @Nullable String after, Duration wait) {
            var page = events.after(after, new Events.Filter(types, subject), wait);
            page.data().forEach(this::print);
            printed |= !page.data().isEmpty();
            boolean goesOn = page.meta().hasMore() || !wait.isZero();
            return goesOn ? Objects.requireNonNull(page.meta().nextCursor()) : null;
        }

        private void print(EventRecord event) {
            output.line(
                    event,
                    Text.time(event.time()) + "  " + event.type() + "  " + event.subject() + actor(event),
                    event.type() + " " + event.subject());
        }

        private static String actor(EventRecord event) {
            return event.data().get("actor") instanceof java.util.Map<?, ?> actor && actor.get("name") != null
                    ? "  by " + actor.get("name")
                    : "";
        }
    }

    @Command(name = "tail", description = "Shows events as they happen, one per line, until it is stopped.")
    public static final class Tail extends OfFeed {
        private static final Duration WAIT = Duration.ofSeconds(25);

        public Tail(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var events = events(client);
            output.waitInSilence();
            output.say("showing new events; press Ctrl-C to stop");
            for (String cursor = Events.LATEST; cursor != null; ) {
                cursor = print(events, cursor, WAIT);
            }
            return ExitCode.OK;
        }
    }

    @Command(
            name = "replay",
            description = "Shows past events, the oldest first, one per line, as far back as they are kept.")
    public static final class Replay extends OfFeed {
        public Replay(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var events = events(client);
            String cursor = print(events, null, Duration.ZERO);
            while (cursor != null) {
                cursor = print(events, cursor, Duration.ZERO);
            }
            if (!printed) {
                output.say("no event matches, as far back as events are kept");
            }
            return ExitCode.OK;
        }
    }
}
