package dev.sheaf.cli;

import dev.sheaf.client.SheafClient;
import dev.sheaf.client.Tags;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.TagHistoryEntry;
import dev.sheaf.model.wire.TagStatus;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Groups the commands below.
@Command(name = "tags", description = "Lists and moves the tags of a bundle.", synopsisSubcommandLabel = "COMMAND")
final class TagsCommand {
    /// Where the tags are.
    static class Of {
        @Parameters(index = "0", paramLabel = "BUNDLE", description = "namespace/bundle.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private RepositoryName bundle;

        Tags in(SheafClient client) {
            return client.bundle(bundle).tags();
        }

        @Override
        public String toString() {
            return bundle.toString();
        }
    }

    /// Which tag of it.
    static final class Named extends Of {
        @Parameters(index = "1", paramLabel = "TAG", description = "Name of the tag.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private Tag tag;
    }

    private static void moved(Output output, Of bundle, TagStatus tag) {
        output.show(
                tag,
                shell ->
                        shell.say(bundle + ":" + Text.showable(tag.name()) + " is now " + Text.showable(tag.version())),
                () -> List.of(tag.version()));
    }

    private static String text(@Nullable String version) {
        return version == null || version.isEmpty() ? "-" : version;
    }

    @Command(name = "ls", description = "Lists the tags by name.")
    static final class ListAll implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final Output output;

        @Mixin
        private final Of bundle = new Of();

        ListAll(Connection connection) {
            this.connection = connection;
            this.output = connection.output();
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                var tags = bundle.in(client).list();
                output.show(
                        tags,
                        shell -> print(tags, shell),
                        () -> tags.stream().map(TagStatus::name).toList());
            }
            return ExitCode.OK.status();
        }

        private static void print(List<TagStatus> tags, Shell shell) {
            var table = new Table("TAG", "VERSION", "MOVED", "DIGEST", "NOTE");
            tags.forEach(tag -> table.row(
                    tag.name(),
                    text(tag.version()),
                    tag.updatedAt().truncatedTo(ChronoUnit.SECONDS),
                    tag.digest(),
                    (tag.isProtected() ? "protected " : "") + (tag.managed() ? "automatic" : "")));
            table.print(shell, "there are no tags");
        }
    }

    @Command(name = "set", description = "Points a tag to a version, made if it is missing. On latest, pins it.")
    static final class Set implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final Output output;

        @Mixin
        private final Named bundle = new Named();

        @Parameters(index = "2", paramLabel = "VERSION", description = "An exact version.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private Version version;

        @Option(names = "--expect", paramLabel = "VERSION", description = "Only if the tag points there now.")
        private @Nullable Version expected;

        @Option(
                names = "--protect",
                negatable = true,
                description = "Refuse moves and removals by hand from now on, or allow them again.")
        private @Nullable Boolean protect;

        Set(Connection connection) {
            this.connection = connection;
            this.output = connection.output();
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                moved(output, bundle, bundle.in(client).set(bundle.tag, version, expected, protect));
            }
            return ExitCode.OK.status();
        }
    }

    @Command(name = "rm", description = "Removes a tag; a latest that was pinned follows the highest version again.")
    static final class Remove implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final Output output;

        @Mixin
        private final Named bundle = new Named();

        @Mixin
        private final Confirmation confirmation;

        Remove(Connection connection) {
            this.connection = connection;
            this.output = connection.output();
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        public Integer call() {
            String tag = bundle + ":" + bundle.tag;
            if (confirmation.given("remove the tag " + tag + " at " + connection.url())) {
                try (var client = connection.open()) {
                    bundle.in(client).remove(bundle.tag);
                    output.show(
                            new Removed(tag),
                            shell -> shell.say("removed the tag " + tag + "; where it was: sheaf tags history " + bundle
                                    + " " + bundle.tag),
                            () -> List.of(tag));
                }
            }
            return ExitCode.OK.status();
        }

        /// The JSON of a removal.
        record Removed(String removed) {}
    }

    @Command(name = "history", description = "Lists the moves of a tag, the newest first; of one that is gone, too.")
    static final class History implements Callable<Integer> {
        private static final int MOST = 1000;

        @Mixin
        private final Connection connection;

        @Mixin
        private final Output output;

        @Mixin
        private final Named bundle = new Named();

        History(Connection connection) {
            this.connection = connection;
            this.output = connection.output();
        }

        @Override
        public Integer call() {
            try (var client = connection.open()) {
                var moves = bundle.in(client).history(bundle.tag, MOST);
                output.show(
                        moves,
                        shell -> print(moves, shell),
                        () -> moves.stream().map(TagHistoryEntry::id).toList());
            }
            return ExitCode.OK.status();
        }

        private static void print(List<TagHistoryEntry> moves, Shell shell) {
            var table = new Table("AT", "FROM", "TO", "BY", "ID");
            moves.forEach(move -> table.row(
                    move.at().truncatedTo(ChronoUnit.SECONDS),
                    text(move.oldVersion()),
                    text(move.newVersion()),
                    text(move.by()),
                    move.id()));
            table.print(shell, "the tag has never moved");
        }
    }

    @Command(
            name = "rollback",
            description = "Points a tag back to where it was before its last move, or after the move --entry.")
    static final class Rollback implements Callable<Integer> {
        @Mixin
        private final Connection connection;

        @Mixin
        private final Output output;

        @Mixin
        private final Named bundle = new Named();

        @Mixin
        private final Confirmation confirmation;

        @Option(names = "--entry", paramLabel = "ID", description = "Id of a move, as tags history shows it.")
        private @Nullable UUID entry;

        @Option(names = "--expect", paramLabel = "VERSION", description = "Only if the tag points there now.")
        private @Nullable Version expected;

        Rollback(Connection connection) {
            this.connection = connection;
            this.output = connection.output();
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        public Integer call() {
            String where = bundle + ":" + bundle.tag + " at " + connection.url();
            if (confirmation.given("move the tag " + where + " back to where it was")) {
                try (var client = connection.open()) {
                    moved(output, bundle, bundle.in(client).rollback(bundle.tag, entry, expected));
                }
            }
            return ExitCode.OK.status();
        }
    }
}
