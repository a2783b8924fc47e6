package dev.sheaf.cli.install;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.Nearest;
import dev.sheaf.cli.command.Picked;
import dev.sheaf.client.Installation;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.RepositoryName;
import java.util.List;
import java.util.Optional;
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
        var bundle = picked.reference().repository();
        var names = installation.wanted().stream()
                .map(wish -> wish.bundle().toString())
                .toList();
        if (!names.contains(bundle.toString())) {
            throw new SheafException.NotFound(
                    bundle + " is not installed here"
                            + near(bundle, names)
                                    .map(name -> "; did you mean " + name + "?")
                                    .orElse("")
                            + (names.isEmpty() ? "; nothing is" : "; to see what is installed: sheaf list"),
                    SheafException.Answer.NONE);
        }
        return show(installation.remove(bundle, picked.things(), flags.options()));
    }

    private static Optional<String> near(RepositoryName bundle, List<String> names) {
        return Nearest.of(bundle.toString(), names)
                .or(() -> names.stream()
                        .filter(name -> name.endsWith("/" + bundle.bundle()))
                        .findFirst());
    }
}
