package dev.sheaf.cli.command;

import dev.sheaf.cli.terminal.Output;
import dev.sheaf.client.SheafClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/// A command that calls the registry. It contains what these commands share: the options for the registry and
/// the output format, a client that is closed at the end, and the question before the work.
///
/// A command describes itself with `@Command`, has its arguments as fields, and does its work in [#run].
public abstract class RegistryCommand implements Callable<Integer> {
    @Mixin
    public final Connection connection;

    @Mixin
    public final Output output;

    public RegistryCommand(Connection connection) {
        this.connection = connection;
        this.output = connection.output();
    }

    /// Checks the arguments, and asks before a change that others will notice. Nothing is sent before.
    ///
    /// @return whether to continue; if not, the method has already reported that nothing was changed
    protected boolean ready() {
        return true;
    }

    /// Returns whether a CI workflow without a key may use its id_token for this.
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
