package dev.sheaf.cli.install;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RepeatedValue;
import dev.sheaf.client.Installation;
import dev.sheaf.model.RepositoryName;

/// The command `sheaf update`.
public final class UpdateCommand extends ProjectCommand {
    private final RepeatedValue<RepositoryName> bundles =
            arguments(RepositoryName.class, "0..*", "BUNDLE", "The bundles to update. Default: all.");
    private final InstallFlags flags = InstallFlags.of(this);

    public UpdateCommand(Connection connection) {
        super(
                connection,
                "update",
                "Updates installed bundles within their ranges. The ranges are in sheaf-install.json. Programs, modes and "
                        + "files that you changed stay.");
    }

    @Override
    ExitCode run(Installation installation) {
        return show(installation.update(bundles.get(), flags.options(connection.shell())));
    }
}
