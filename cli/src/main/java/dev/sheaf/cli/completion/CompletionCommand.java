package dev.sheaf.cli.completion;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Shell;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "completion",
        description = "Prints a completion script for your shell. It completes commands, options, and the names of "
                + "bundles, versions and tags.",
        footer = {
            "",
            "bash:  source <(sheaf completion bash)",
            "zsh:   source <(sheaf completion zsh)",
            "fish:  sheaf completion fish | source",
            "",
            "Names come from the registry, if it answers within a second."
        })
public final class CompletionCommand implements Callable<Integer> {
    /// The shells that have a script.
    public enum Language {
        BASH,
        ZSH,
        FISH,
        /// Not a shell: the manual page, made from the same model, for packages.
        MAN;

        /// Returns the word on the command line.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Shell shell;

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish; man prints the manual page.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Language language;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    public CompletionCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        CommandLine root = spec.root().commandLine();
        shell.out()
                .print(
                        switch (language) {
                            case FISH -> FishCompletion.script(root);
                            case MAN -> ManPage.text(root);
                            case BASH -> BashCompletion.script(root);
                            case ZSH -> BashCompletion.zsh(root);
                        });
        return ExitCode.OK.status();
    }
}
