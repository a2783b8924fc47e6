package dev.sheaf.cli.terminal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Predicate;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Asks before a change that others will notice. Without a terminal a user cannot answer, so the command needs
/// `--yes`.
public final class Confirmation {
    private final Shell shell;

    @Option(
            names = {"-y", "--yes"},
            description = "Do not ask. Needed if there is no terminal.")
    private boolean yes;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec command;

    public Confirmation(Shell shell) {
        this.shell = shell;
    }

    /// Returns whether to continue. If the answer is no, reports that nothing was changed.
    ///
    /// @param what the change, without punctuation at the end: `yank acme/kit:1.0.0 from https://…`
    /// @throws ParameterException if there is no terminal
    public boolean given(String what) {
        return possible(what + "?")
                && (yes
                        || answered(
                                what + "? [y/N] ",
                                answer -> answer.toLowerCase(Locale.ROOT).matches("y|yes")));
    }

    /// Returns true if the user can answer, or need not.
    ///
    /// @param what what the question is about
    /// @throws ParameterException if there is no terminal
    public boolean possible(String what) {
        if (!yes && !shell.terminal()) {
            throw new ParameterException(
                    command.commandLine(),
                    "there is no terminal to ask: " + Text.showable(what) + " To do it, add --yes");
        }
        return true;
    }

    /// Returns whether `--yes` was given.
    public boolean isGiven() {
        return yes;
    }

    /// Returns whether the user types a name, for changes that end what others use. If not, reports that nothing
    /// was changed.
    ///
    /// @param what the change, as a sentence without its point
    public boolean typed(String what, String name) {
        return answered(what + ". Type " + name + " to do it: ", name::equals);
    }

    private boolean answered(String question, Predicate<String> isYes) {
        shell.err().print(Text.showable(question));
        shell.err().flush();
        try {
            var reader = new BufferedReader(new InputStreamReader(shell.in(), StandardCharsets.UTF_8));
            String answer = reader.readLine();
            if (answer != null && isYes.test(answer.strip())) {
                return true;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        shell.say("nothing was changed");
        return false;
    }
}
