package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.Removed;
import dev.sheaf.cli.terminal.Confirmation;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.wire.queue.Habitat;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The commands of `sheaf queue habitat`.
public final class HabitatCommands {
    private HabitatCommands() {}

    @Command(
            name = "habitat",
            description = "Manages habitats: the places where work runs. Each queue is in one.",
            synopsisSubcommandLabel = "COMMAND")
    private record Group() {}

    static CommandLine of(Supplier<Connection> connections) {
        return new CommandLine(new Group())
                .addSubcommand(new ListAll(connections.get()))
                .addSubcommand(new Add(connections.get()))
                .addSubcommand(new Rename(connections.get()))
                .addSubcommand(new Delete(connections.get()));
    }

    @Command(name = "list", aliases = "ls", description = "Lists the habitats.")
    public static final class ListAll extends QueueCommand.OfOrganization {
        public ListAll(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var habitats = queues(client).habitats();
            var table = new Table("HABITAT", "STATUS", "TYPE", "NAME");
            habitats.forEach(
                    habitat -> table.row(habitat.slug(), habitat.status(), habitat.habitatType(), habitat.name()));
            output.list(habitats, Habitat::slug, table, "there are no habitats; the first queue creates one");
            return ExitCode.OK;
        }
    }

    @Command(name = "add", description = "Creates a habitat.")
    public static final class Add extends QueueCommand.OfOrganization {
        @Parameters(index = "0", paramLabel = "HABITAT", description = "Its slug: lower case, digits and hyphens.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String slug;

        @Option(names = "--name", paramLabel = "NAME", description = "Display name. Default: the slug.")
        private @Nullable String name;

        @Option(names = "--type", paramLabel = "TYPE", description = "local or cloud. Default: local.")
        private @Nullable String type;

        public Add(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var made = queues(client).addHabitat(slug, name, type);
            output.done(made, made.slug(), "created the habitat " + made.slug());
            return ExitCode.OK;
        }
    }

    /// A command about one habitat.
    abstract static class OfHabitat extends QueueCommand.OfOrganization {
        @Parameters(index = "0", paramLabel = "HABITAT", description = "Slug or id of the habitat.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        String habitat;

        OfHabitat(Connection connection) {
            super(connection);
        }
    }

    @Command(name = "rename", description = "Renames a habitat; its slug stays.")
    public static final class Rename extends OfHabitat {
        @Parameters(index = "1", paramLabel = "NAME", description = "The new display name.")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String name;

        public Rename(Connection connection) {
            super(connection);
        }

        @Override
        protected ExitCode run(SheafClient client) {
            var changed = queues(client).renameHabitat(habitat, name);
            output.done(changed, changed.slug(), "renamed the habitat " + changed.slug() + " to " + changed.name());
            return ExitCode.OK;
        }
    }

    @Command(name = "delete", aliases = "rm", description = "Deletes a habitat that has no queues.")
    public static final class Delete extends OfHabitat {
        @Mixin
        private final Confirmation confirmation;

        public Delete(Connection connection) {
            super(connection);
            this.confirmation = new Confirmation(connection.shell());
        }

        @Override
        protected boolean ready() {
            return confirmation.given("delete the habitat " + habitat + " at " + connection.url());
        }

        @Override
        protected ExitCode run(SheafClient client) {
            queues(client).deleteHabitat(habitat);
            output.done(new Removed(habitat), habitat, "deleted the habitat " + habitat);
            return ExitCode.OK;
        }
    }
}
