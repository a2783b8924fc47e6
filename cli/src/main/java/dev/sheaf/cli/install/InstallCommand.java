package dev.sheaf.cli.install;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.client.Installation;
import dev.sheaf.client.io.ShellWord;
import java.util.Optional;
import picocli.CommandLine.UnmatchedArgumentException;

/// The command `sheaf install`.
public final class InstallCommand extends ProjectCommand {
    private final FlagOption frozen = flag(
            "--frozen",
            "Install exactly what the lock says, and change neither file; exit status 10 if it does not match what is "
                    + "wanted.");
    private final InstallFlags flags = InstallFlags.of(this);

    public InstallCommand(Connection connection) {
        super(
                connection,
                "install",
                "Installs what sheaf-install.json lists. Bundles in sheaf-install.lock get the version pinned there, the "
                        + "others their current version.");
        setHint(mistake -> mistake instanceof UnmatchedArgumentException unmatched
                        && unmatched.getUnmatched().getFirst().contains("/")
                ? Optional.of("to install something new: sheaf add "
                        + ShellWord.of(unmatched.getUnmatched().getFirst()))
                : Optional.empty());
    }

    @Override
    ExitCode run(Installation installation) {
        return show(installation.install(flags.options(connection.shell()).frozen(frozen.isGiven())));
    }
}
