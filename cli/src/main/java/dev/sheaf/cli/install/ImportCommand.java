package dev.sheaf.cli.install;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.client.Installation;
import java.nio.file.Path;

/// The command `sheaf import`.
public final class ImportCommand extends ProjectCommand {
    private final OptionalValue<Path> file =
            optionalArgument(Path.class, "FILE", "Default: skills-lock.json of the project.");
    private final InstallFlags flags = InstallFlags.of(this);

    public ImportCommand(Connection connection) {
        super(
                connection,
                "import",
                "Imports skills that npx skills installed from this registry. Reads its skills-lock.json.");
    }

    @Override
    ExitCode run(Installation installation) {
        Path typed = file.get();
        Path lock = typed == null ? project.root(connection).resolve("skills-lock.json") : typed;
        return show(installation.adopt(lock, connection.url(), flags.options(connection.shell())));
    }
}
