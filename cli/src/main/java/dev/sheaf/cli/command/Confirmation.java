package dev.sheaf.cli.command;

import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.TextFormat;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Predicate;
import picocli.CommandLine.ParameterException;

/// Asks before a change that others will notice. Without a terminal a user cannot answer, so the command needs
/// `--yes`.
public final class Confirmation {
    private final Shell shell;

    private final CliCommand command;
    private final FlagOption yes;

    public Confirmation(CliCommand command, Shell shell) {
        this.command = command;
        this.shell = shell;
        this.yes = command.flag("-y --yes", "Do not ask. Needed if there is no terminal.");
    }

    /// Returns whether to continue. If the answer is no, reports that nothing was changed.
    ///
    /// @param what the change, without punctuation at the end: `yank acme/kit:1.0.0 from https://…`
    /// @throws ParameterException if there is no terminal
    public boolean given(String what) {
        return possible(what + "?") && (isGiven() || isAnsweredYes(shell, what + "? [y/N] "));
    }

    /// Returns whether the user answers yes. If not, reports that nothing was changed.
    public static boolean isAnsweredYes(Shell shell, String question) {
        return answered(
                shell, question, answer -> answer.toLowerCase(Locale.ROOT).matches("y|yes"));
    }

    /// Returns true if the user can answer, or need not.
    ///
    /// @param what what the question is about
    /// @throws ParameterException if there is no terminal
    public boolean possible(String what) {
        if (!isGiven() && !shell.terminal()) {
            throw command.misuse("there is no terminal to ask: " + TextFormat.showable(what) + " To do it, add --yes");
        }
        return true;
    }

    /// Returns whether `--yes` was given.
    public boolean isGiven() {
        return yes.isGiven();
    }

    /// Returns whether the user types a name, for changes that end what others use. If not, reports that nothing
    /// was changed.
    ///
    /// @param what the change, as a sentence without its point
    public boolean typed(String what, String name) {
        return answered(shell, what + ". Type " + name + " to do it: ", name::equals);
    }

    private static boolean answered(Shell shell, String question, Predicate<String> isYes) {
        shell.err().print(TextFormat.showable(question));
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
