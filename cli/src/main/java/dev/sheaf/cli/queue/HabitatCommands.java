package dev.sheaf.cli.queue;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.CommandGroup;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.client.queue.Queues;
import dev.sheaf.model.wire.queue.Habitat;
import java.util.function.Supplier;

/// The commands of `sheaf queue habitat`.
final class HabitatCommands {
    private HabitatCommands() {}

    static CommandGroup of(Supplier<Connection> connections) {
        return new CommandGroup(
                        connections, "habitat", "Manages habitats: the places where work runs. Each queue is in one.")
                .add(HabitatCommands::list)
                .add(HabitatCommands::add)
                .add(HabitatCommands::rename)
                .add(HabitatCommands::delete);
    }

    private static RequiredValue<String> habitat(CliCommand command) {
        return command.argument("HABITAT", "Slug or id of the habitat.");
    }

    private static CliCommand list(Connection connection) {
        return QueueCommands.queues(connection, "list", "Lists the habitats.")
                .alias("ls")
                .list(
                        Queues::habitats,
                        Habitat::slug,
                        new Table<Habitat>()
                                .column("HABITAT", Habitat::slug)
                                .column("STATUS", Habitat::status)
                                .column("TYPE", Habitat::habitatType)
                                .column("NAME", Habitat::name),
                        "there are no habitats; the first queue creates one");
    }

    private static CliCommand add(Connection connection) {
        var command = QueueCommands.queues(connection, "add", "Creates a habitat.");
        var slug = command.argument("HABITAT", "Its slug: lower case, digits and hyphens.");
        var name = command.option("--name", "NAME", "Display name. Default: the slug.");
        var type = command.option("--type", "TYPE", "local or cloud. Default: local.");
        return command.change(
                queues -> queues.addHabitat(slug.get(), name.get(), type.get()),
                Habitat::slug,
                made -> "created the habitat " + made.slug());
    }

    private static CliCommand rename(Connection connection) {
        var command = QueueCommands.queues(connection, "rename", "Renames a habitat; its slug stays.");
        var habitat = habitat(command);
        var name = command.argument("NAME", "The new display name.");
        return command.change(
                queues -> queues.renameHabitat(habitat.get(), name.get()),
                Habitat::slug,
                changed -> "renamed the habitat " + changed.slug() + " to " + changed.name());
    }

    private static CliCommand delete(Connection connection) {
        var command = QueueCommands.queues(connection, "delete", "Deletes a habitat that has no queues.")
                .alias("rm");
        var habitat = habitat(command);
        return command.confirm(() -> "delete the habitat " + habitat + command.at())
                .remove(_ -> habitat.get(), Queues::deleteHabitat, gone -> "deleted the habitat " + gone);
    }
}
