package dev.sheaf.cli.install;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.client.Installation;
import dev.sheaf.model.RepositoryName;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "update",
        description = "Updates installed bundles within their ranges. The ranges are in sheaf-install.json. Programs, "
                + "modes and files that you changed stay.")
public final class UpdateCommand extends ProjectCommand {
    @Parameters(paramLabel = "BUNDLE", arity = "0..*", description = "The bundles to update. Default: all.")
    private List<RepositoryName> bundles = new ArrayList<>();

    @Mixin
    private final InstallFlags flags = new InstallFlags();

    public UpdateCommand(Connection connection) {
        super(connection);
    }

    @Override
    protected ExitCode run(Installation installation) {
        return show(installation.update(bundles, flags.options()));
    }
}
