package dev.sheaf.cli.completion;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.terminal.Shell;
import java.util.Locale;
import picocli.CommandLine;

/// The command `sheaf completion`.
public final class CompletionCommand extends CliCommand {
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
    private final RequiredValue<Language> language =
            argument(Language.class, "SHELL", "bash, zsh or fish; man prints the manual page.");

    public CompletionCommand(Shell shell) {
        super(
                "completion",
                "Prints a completion script for your shell. It completes commands, options, and the names of bundles, "
                        + "versions and tags.");
        setFooter(
                "",
                "bash:  source <(sheaf completion bash)",
                "zsh:   source <(sheaf completion zsh)",
                "fish:  sheaf completion fish | source",
                "",
                "Names come from the registry, if it answers within a second.");
        this.shell = shell;
        setWork(this::print);
    }

    private ExitCode print() {
        CommandLine root = spec().root().commandLine();
        shell.out()
                .print(
                        switch (language.get()) {
                            case FISH -> FishCompletion.script(root);
                            case MAN -> ManPage.text(root);
                            case BASH -> BashCompletion.script(root);
                            case ZSH -> BashCompletion.zsh(root);
                        });
        return ExitCode.OK;
    }
}
