package dev.sheaf.cli.install;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.client.Installation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "install",
        description = "Installs what sheaf-install.json wants: what is locked as it is locked, the rest as the "
                + "registry says now.")
public final class InstallCommand extends ProjectCommand {
    @Option(
            names = "--frozen",
            description = "Exactly what the lock says, and write neither file; exit status 10 where it does not say "
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
