package dev.sheaf.cli.command;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.ParameterException;

/// A command that only groups the commands below it.
public final class CommandGroup extends CliCommand {
    private final Supplier<Connection> connections;

    /// @param connections makes a connection for each command
    public CommandGroup(Supplier<Connection> connections, String name, String... description) {
        super(name, description);
        this.connections = connections;
        spec().usageMessage().synopsisSubcommandLabel("COMMAND");
    }

    public CommandGroup add(Function<Connection, ? extends CliCommand> command) {
        return add(command.apply(connections.get()));
    }

    public CommandGroup add(CliCommand command) {
        spec().addSubcommand(command.spec().name(), command.line());
        return this;
    }

    /// Sets what to say about a common mistake.
    public CommandGroup hint(Function<ParameterException, Optional<String>> hint) {
        setHint(hint);
        return this;
    }
}
