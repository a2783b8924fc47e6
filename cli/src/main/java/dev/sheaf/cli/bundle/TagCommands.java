package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.ActorNames;
import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.IdOrEnd;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.client.SheafClient;
import dev.sheaf.client.Tags;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.bundle.TagHistoryEntry;
import dev.sheaf.model.wire.bundle.TagStatus;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// The commands of `sheaf tags`: the tags of a bundle.
public final class TagCommands {
    private static final int MOST_MOVES = 1000;

    private TagCommands() {}

    public static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(connections, "tags", "Lists and moves the tags of a bundle.")
                .hint(TagCommands::hint)
                .add(TagCommands::list)
                .add(TagCommands::set)
                .add(TagCommands::remove)
                .add(TagCommands::history)
                .add(TagCommands::rollback);
    }

    private static Optional<String> hint(ParameterException mistake) {
        if (mistake instanceof UnmatchedArgumentException unmatched
                && unmatched.getUnmatched().getFirst().contains("/")) {
            String bundle = ShellWord.of(unmatched.getUnmatched().getFirst());
            return Optional.of("to list its tags: sheaf tags ls " + bundle + "; to move one: sheaf tags set " + bundle
                    + " TAG VERSION");
        }
        return Optional.empty();
    }

    private static RequiredValue<Tag> tag(CliCommand command) {
        return command.argument(Tag.class, "TAG", "Name of the tag.");
    }

    private static Tags tags(SheafClient client, RequiredValue<RepositoryName> bundle) {
        return client.bundle(bundle.get()).tags();
    }

    private static String text(@Nullable String value) {
        return value == null || value.isEmpty() ? "-" : value;
    }

    private static CliCommand list(Connection connection) {
        var command =
                ResourceCommand.of(connection, "ls", "Lists the tags by name.").alias("list");
        var bundle = BundleCommands.bundle(command);
        return command.run(client -> command.output.list(
                tags(client, bundle).list(),
                TagStatus::name,
                new Table<TagStatus>()
                        .column("TAG", TagStatus::name)
                        .column("VERSION", tag -> text(tag.version()))
                        .column("MOVED", TagStatus::updatedAt)
                        .column("DIGEST", TagStatus::digest)
                        .column(
                                "NOTE",
                                tag -> (tag.isProtected() ? "protected " : "") + (tag.managed() ? "automatic" : "")),
                bundle + " has no tags"));
    }

    /// Reports where a tag is after a move.
    private static void printMove(
            TagStatus to, RequiredValue<RepositoryName> bundle, RequiredValue<Tag> tag, Output output) {
        output.done(
                to,
                text(to.version()),
                bundle + ":" + tag + " is now " + text(to.version()) + (to.isProtected() ? ", protected" : ""));
    }

    private static CliCommand set(Connection connection) {
        var command = ResourceCommand.of(
                connection,
                "set",
                "Points a tag to a version; creates the tag if it is missing. The tag latest is pinned by that.");
        var bundle = BundleCommands.bundle(command);
        var tag = tag(command);
        var version = command.argument(Version.class, "VERSION", "An exact version.");
        var expected = command.option(
                Version.class, "--expect", "VERSION", "Change it only if it points to this version now.");
        var protect =
                command.choice("--protect", "Refuse moves and removals by hand from now on, or allow them again.");
        return command.run(client -> {
            var tags = tags(client, bundle);
            printMove(tags.set(tag.get(), version.get(), expected.get(), protect.get()), bundle, tag, command.output);
            if (tag.get().equals(Tag.LATEST)) {
                command.output.say("note: latest stays there from now on; to make it follow the highest version again: "
                        + "sheaf tags rm " + bundle + " latest" + connection.typed());
            }
        });
    }

    private static CliCommand remove(Connection connection) {
        var command = ResourceCommand.of(
                connection, "rm", "Removes a tag. If latest was pinned, it follows the highest version again.");
        var bundle = BundleCommands.bundle(command);
        var tag = tag(command);
        Supplier<String> place = () -> bundle + ":" + tag;
        return command.confirm(() -> "remove the tag " + place.get() + command.at())
                .run(client -> {
                    var tags = tags(client, bundle);
                    tags.remove(tag.get());
                    command.removed(
                            place.get(),
                            tag.get().equals(Tag.LATEST)
                                    ? place.get() + " is no longer pinned and follows the highest version again"
                                            + now(tags)
                                    : "removed the tag " + place.get() + "; to see where it was: sheaf tags history "
                                            + bundle + " " + tag + connection.typed());
                });
    }

    private static String now(Tags tags) {
        return tags.list().stream()
                .filter(status -> status.name().equals(Tag.LATEST.value()))
                .findFirst()
                .map(status -> ": " + text(status.version()))
                .orElse("");
    }

    private static CliCommand history(Connection connection) {
        var command = ResourceCommand.of(
                connection, "history", "Lists the moves of a tag, even of a removed tag, the newest first.");
        var bundle = BundleCommands.bundle(command);
        var tag = tag(command);
        return command.run(client -> {
            var actors = new ActorNames(client);
            command.output.list(
                    tags(client, bundle).history(tag.get(), MOST_MOVES),
                    TagHistoryEntry::id,
                    new Table<TagHistoryEntry>()
                            .column("AT", TagHistoryEntry::at)
                            .column("FROM", move -> text(move.oldVersion()))
                            .column(
                                    "TO",
                                    move -> text(move.newVersion()) + (move.newVersionYanked() ? " (yanked)" : ""))
                            .column(
                                    "BY",
                                    move -> text(actors.name(move.by())) + (move.cause() == null ? "" : " (yank)"))
                            .column("ID", TagHistoryEntry::id),
                    bundle + ":" + tag + " has never moved");
        });
    }

    private static CliCommand rollback(Connection connection) {
        var command = ResourceCommand.of(
                connection,
                "rollback",
                "Points a tag back to its version before the last move. With --entry, to its version after that move.");
        var bundle = BundleCommands.bundle(command);
        var tag = tag(command);
        var entry = command.option(IdOrEnd.class, "--entry", "ID", "Id of a move, as shown by sheaf tags history.");
        var expected = command.option(
                Version.class, "--expect", "VERSION", "Change it only if it points to this version now.");
        return command.confirm(() -> "move the tag " + bundle + ":" + tag + command.at() + " back to where it was")
                .run(client -> {
                    var tags = tags(client, bundle);
                    var move = entry.get();
                    var to = move == null
                            ? null
                            : move.among("move", () -> tags.history(tag.get(), MOST_MOVES), TagHistoryEntry::id);
                    printMove(tags.rollback(tag.get(), to, expected.get()), bundle, tag, command.output);
                });
    }
}
