package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.TransferDisplay;
import dev.sheaf.client.bundle.BundleDraft;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.model.RepositoryName;
import java.nio.file.Path;
import java.util.List;

/// The command `sheaf init`.
public final class InitCommand extends CliCommand {
    private final Shell shell;
    private final Output output;
    private final RequiredValue<RepositoryName> bundle = BundleCommands.bundle(this);
    private final OptionalValue<Path> folder =
            optionalArgument(Path.class, "DIR", "The directory. Default: the current one.");
    private final FlagOption force = flag("--force", "Replace an existing sheaf.yaml.");

    public InitCommand(Shell shell) {
        super("init", "Writes a first sheaf.yaml for the files of a directory. Prints its path.");
        this.shell = shell;
        this.output = use(new Output(shell));
        setWork(this::write);
    }

    /// The JSON of what was written.
    record Shown(String file) {}

    private ExitCode write() {
        Path from = folder.or(Path.of(""));
        SourceFolder.check(this, from);
        String text = BundleDraft.text(from, bundle.get(), new TransferDisplay(shell, output));
        Path file = BundleDraft.write(from, text, force.isGiven());
        output.show(new Shown(file.toString()), to -> to.out().println(file), () -> List.of(file));
        String where = from.toString().isEmpty() ? "" : " " + ShellWord.of(from);
        output.say("check it, then: sheaf lint" + where + " and sheaf push" + where);
        return ExitCode.OK;
    }
}
