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
        description = "Removes what was installed of a bundle, or some skills of it. Files that you changed stay.")
public final class RemoveCommand extends ProjectCommand {
    @Parameters(paramLabel = "BUNDLE", description = "namespace/bundle[#skill,...], as sheaf list shows them.")
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
