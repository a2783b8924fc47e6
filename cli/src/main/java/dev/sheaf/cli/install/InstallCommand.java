package dev.sheaf.cli.install;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.client.Installation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "install",
        description = "Installs what sheaf-install.json lists. Bundles in sheaf-install.lock get the version pinned "
                + "there, the others their current version.")
public final class InstallCommand extends ProjectCommand {
    @Option(
            names = "--frozen",
            description =
                    "Install exactly what the lock says, and change neither file; exit status 10 if it does not match "
                            + "what is wanted.")
    private boolean frozen;

    @Mixin
    private final InstallFlags flags = new InstallFlags();

    public InstallCommand(Connection connection) {
        super(connection);
    }

    @Override
    protected ExitCode run(Installation installation) {
        return show(installation.install(flags.options().frozen(frozen)));
    }
}
