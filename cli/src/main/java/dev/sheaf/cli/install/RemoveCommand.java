package dev.sheaf.cli.install;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.Picked;
import dev.sheaf.client.Installation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "remove",
        aliases = "rm",
        description = "Removes an installed bundle, or some of its skills. Files that you changed stay.")
public final class RemoveCommand extends ProjectCommand {
    @Parameters(paramLabel = "BUNDLE", description = "namespace/bundle[#skill,...], as shown by sheaf list.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Picked picked;

    @Mixin
    private final InstallFlags flags = new InstallFlags();

    public RemoveCommand(Connection connection) {
        super(connection);
    }

    @Override
    protected ExitCode run(Installation installation) {
        return show(installation.remove(picked.reference().repository(), picked.things(), flags.options()));
    }
}
