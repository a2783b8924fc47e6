package dev.sheaf.cli.command;

import dev.sheaf.cli.terminal.Output;
import dev.sheaf.client.SheafClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/// A command that asks the registry. What is the same for all of them is here: the options that name the registry
/// and the form of the output, the client that is opened and closed, and when a question is asked.
///
/// A command says what it is with `@Command`, its arguments as fields, and does its work in [#run].
public abstract class RegistryCommand implements Callable<Integer> {
    @Mixin
    public final Connection connection;

    @Mixin
    public final Output output;

    public RegistryCommand(Connection connection) {
        this.connection = connection;
        this.output = connection.output();
    }

    /// Checks the arguments, and asks before what others will notice. Nothing is sent before it says yes.
    ///
    /// @return whether to go on; where not, nothing was done and that was said
    protected boolean ready() {
        return true;
    }

    /// Whether a workflow without a key may do this by its id_token.
    protected boolean publishes() {
        return false;
    }

    /// Does the work.
    protected abstract ExitCode run(SheafClient client);

    @Override
    public final Integer call() {
        if (!ready()) {
            return ExitCode.OK.status();
        }
        try (var client = publishes() ? connection.openToPublish() : connection.open()) {
            return run(client).status();
        }
    }
}
