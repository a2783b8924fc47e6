package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Display;
import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.client.bundle.BundleDraft;
import dev.sheaf.client.io.ShellWord;
import dev.sheaf.model.RepositoryName;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "init", description = "Writes a first sheaf.yaml for the files of a directory. Prints its path.")
public final class InitCommand implements Callable<Integer> {
    private final Shell shell;

    @Mixin
    private final Output output;

    @Parameters(index = "0", paramLabel = "BUNDLE", description = "namespace/bundle.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private RepositoryName bundle;

    @Parameters(
            index = "1",
            paramLabel = "DIR",
            arity = "0..1",
            description = "The directory. Default: the current one.")
    private Path folder = Path.of("");

    @Option(names = "--force", description = "Replace an existing sheaf.yaml.")
    private boolean force;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    public InitCommand(Shell shell) {
        this.shell = shell;
        this.output = new Output(shell);
    }

    /// The JSON of what was written.
    record Shown(String file) {}

    @Override
    public Integer call() {
        SourceFolder.check(spec, folder);
        String text = BundleDraft.text(folder, bundle, new Display(shell, output));
        Path file = BundleDraft.write(folder, text, force);
        output.show(new Shown(file.toString()), to -> to.out().println(file), () -> List.of(file));
        String where = folder.toString().isEmpty() ? "" : " " + ShellWord.of(folder);
        output.say("check it, then: sheaf lint" + where + " and sheaf push" + where);
        return ExitCode.OK.status();
    }
}
