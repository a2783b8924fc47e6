package dev.sheaf.cli.install;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.client.Installation;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "import",
        description = "Imports skills that npx skills installed from this registry. Reads its skills-lock.json.")
public final class ImportCommand extends ProjectCommand {
    @Parameters(paramLabel = "FILE", arity = "0..1", description = "Default: skills-lock.json of the project.")
    private @Nullable Path file;

    @Mixin
    private final InstallFlags flags = new InstallFlags();

    public ImportCommand(Connection connection) {
        super(connection);
    }

    @Override
    protected ExitCode run(Installation installation) {
        Path lock = file == null ? project.root(connection).resolve("skills-lock.json") : file;
        return show(installation.adopt(lock, connection.url(), flags.options()));
    }
}
