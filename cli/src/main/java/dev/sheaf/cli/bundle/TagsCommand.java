package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Actors;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.command.Removed;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.Tags;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.bundle.TagHistoryEntry;
import dev.sheaf.model.wire.bundle.TagStatus;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Groups the commands below.
@Command(name = "tags", description = "Lists and moves the tags of a bundle.", synopsisSubcommandLabel = "COMMAND")
public final class TagsCommand {
    /// Returns the group with its commands.
    public static CommandLine of(Supplier<Connection> connections) {
        return new CommandLine(new TagsCommand())
                .addSubcommand(new ListAll(connections.get()))
                .addSubcommand(new Set(connections.get()))
                .addSubcommand(new Remove(connections.get()))
                .addSubcommand(new History(connections.get()))
                .addSubcommand(new Rollback(connections.get()));
    }

    /// A command about the tags of one bundle.
    abstract static class OfBundle extends RegistryCommand {
        @Parameters(index = "0", paramLabel = "BUNDLE", description = "namespace/bundle.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        RepositoryName bundle;

        OfBundle(Connection connection) {
            super(connection);
        }

        Tags tags(SheafClient client) {
            return client.bundle(bundle).tags();
        }
    }

    /// A command about one tag of a bundle.
    abstract static class OfTag extends OfBundle {
        @Parameters(index = "1", paramLabel = "TAG", description = "Name of the tag.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        Tag tag;

        OfTag(Connection connection) {
            super(connection);
        }

        String place() {
            return bundle + ":" + tag;
        }

        ExitCode moved(TagStatus to) {
            output.done(to, to.version(), place() + " is now " + text(to.version()) + protection(to));
            return ExitCode.OK;
        }

        private static String protection(TagStatus tag) {
            return tag.isProtected() ? ", protected" : "";
        }
    }

    private static String text(@Nullable String value) {
        return value == null || value.isEmpty() ? "-" : value;
    }

    @Command(name = "ls", aliases = "list", description = "Lists the tags by name.")
    public static final class ListAll extends OfBundle {
        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var all = tags(client).list();
            var table = new Table("TAG", "VERSION", "MOVED", "DIGEST", "NOTE");
            all.forEach(tag ->
                    table.row(tag.name(), text(tag.version()), Text.time(tag.updatedAt()), tag.digest(), note(tag)));
            output.list(all, TagStatus::name, table, bundle + " has no tags");
            return ExitCode.OK;
        }

        private static String note(TagStatus tag) {
            return (tag.isProtected() ? "protected " : "") + (tag.managed() ? "automatic" : "");
        }
    }

    @Command(
            name = "set",
            description = "Points a tag to a version; creates the tag if it is missing. The tag latest is pinned by "
                    + "that.")
    public static final class Set extends OfTag {
        @Parameters(index = "2", paramLabel = "VERSION", description = "An exact version.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private Version version;

        @Option(
                names = "--expect",
                paramLabel = "VERSION",
                description = "Change it only if it points to this version now.")
        private @Nullable Version expected;

        @Option(
                names = "--protect",
                negatable = true,
                description = "Refuse moves and removals by hand from now on, or allow them again.")
        private @Nullable Boolean protect;

        public Set(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var exit = moved(tags(client).set(tag, version, expected, protect));
            if (tag.equals(Tag.LATEST)) {
                output.say("note: latest stays there from now on; to make it follow the highest version again: "
                        + "sheaf tags rm " + bundle + " latest" + connection.typed());
            }
            return exit;
        }
    }

    @Command(name = "rm", description = "Removes a tag. If latest was pinned, it follows the highest version again.")
    public static final class Remove extends OfTag {
        @Mixin
        private final Confirmation confirmation;

        public Remove(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            return confirmation.given("remove the tag " + place() + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            tags(client).remove(tag);
            String sentence = tag.equals(Tag.LATEST)
                    ? place() + " is no longer pinned and follows the highest version again" + now(client)
                    : "removed the tag " + place() + "; to see where it was: sheaf tags history " + bundle + " " + tag
                            + connection.typed();
            output.done(new Removed(place()), place(), sentence);
            return ExitCode.OK;
        }

        private String now(SheafClient client) {
            return tags(client).list().stream()
                    .filter(status -> status.name().equals(Tag.LATEST.value()))
                    .findFirst()
                    .map(status -> ": " + text(status.version()))
                    .orElse("");
        }
    }

    @Command(name = "history", description = "Lists the moves of a tag, even of a removed tag, the newest first.")
    public static final class History extends OfTag {
        private static final int MOST = 1000;

        public History(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var moves = tags(client).history(tag, MOST);
            var table = new Table("AT", "FROM", "TO", "BY", "ID");
            var actors = new Actors(client);
            moves.forEach(move -> table.row(
                    Text.time(move.at()),
                    text(move.oldVersion()),
                    text(move.newVersion()),
                    text(output.format() == Output.Format.HUMAN ? actors.name(move.by()) : move.by()),
                    move.id()));
            output.list(moves, TagHistoryEntry::id, table, place() + " has never moved");
            return ExitCode.OK;
        }
    }

    @Command(
            name = "rollback",
            description = "Points a tag back to its version before the last move. With --entry, to its version after "
                    + "that move.")
    public static final class Rollback extends OfTag {
        @Mixin
        private final Confirmation confirmation;

        @Option(names = "--entry", paramLabel = "ID", description = "Id of a move, as shown by sheaf tags history.")
        private @Nullable IdOrEnd entry;

        @Option(
                names = "--expect",
                paramLabel = "VERSION",
                description = "Change it only if it points to this version now.")
        private @Nullable Version expected;

        public Rollback(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            return confirmation.given("move the tag " + place() + " at " + connection.url() + " back to where it was");
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var tags = tags(client);
            var to = entry == null
                    ? null
                    : entry.among("move", () -> tags.history(tag, History.MOST), TagHistoryEntry::id);
            return moved(tags.rollback(tag, to, expected));
        }
    }
}
