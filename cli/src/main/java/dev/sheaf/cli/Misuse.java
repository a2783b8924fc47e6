package dev.sheaf.cli;

import dev.sheaf.cli.bundle.PushCommand;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.Text;

import dev.sheaf.model.text.Quoted;
import java.util.regex.Pattern;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// What is said of a command line that cannot be understood.
final class Misuse {
    private static final Pattern INVALID = Pattern.compile(
            "^Invalid value for "
                    + "(?:positional parameter at index \\S+ \\(\\[?<?([^)>\\]]+)>?\\]?\\)|option '([^']+)'(?: \\([^)]*\\))?): ");
    private static final Pattern NO_PAIR = Pattern.compile(
            "^Value for (?:option )+'([^']+)' \\(([^)]*)\\) should be in KEY=VALUE format but was (.*)");

    private Misuse() {}

    static int report(Shell shell, ParameterException e) {
        var command = e.getCommandLine();
        shell.say("sheaf: " + Text.showable(plain(e)));
        UnmatchedArgumentException.printSuggestions(e, command.getErr());
        if (command.getCommand() instanceof PushCommand push && push.isReference()) {
            shell.say("  the directory stands first: sheaf push DIR REF");
        }
        shell.say("  see: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE.status();
    }

    /// In words of who types, instead of `Invalid value for positional parameter at index 1 (ROLE): write …` and
    /// `Unmatched argument at index 0: 'psh'`.
    private static String plain(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            String message = INVALID.matcher(String.valueOf(e.getMessage())).replaceFirst("$1$2: ");
            return NO_PAIR.matcher(message).replaceFirst("$1: write $2, not $3");
        }
        String first = unmatched.getUnmatched().getFirst();
        boolean group = !e.getCommandLine().getSubcommands().isEmpty();
        if (first.startsWith("-")) {
            return "there is no option " + Quoted.of(first) + (group ? " here; options stand behind the command" : "");
        }
        return group ? "there is no command " + Quoted.of(first) : Quoted.of(first) + " is one argument too many";
    }
}
