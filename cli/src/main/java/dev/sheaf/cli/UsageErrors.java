package dev.sheaf.cli;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.SimilarNames;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.model.text.Quoted;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Reports a command line that cannot be parsed.
final class UsageErrors {
    private static final Pattern INVALID = Pattern.compile(
            "^Invalid value for "
                    + "(?:positional parameter at index \\S+ \\(\\[?<?([^)>\\]]+)>?\\]?\\)|option '([^']+)'(?: \\([^)]*\\))?): ");
    private static final Pattern NO_PAIR = Pattern.compile(
            "^Value for (?:option )+'([^']+)' \\(([^)]*)\\) should be in KEY=VALUE format but was (.*)");

    private static final Pattern MISSING = Pattern.compile("^Missing required (?:parameter|option): '([^']+)'$");

    /// Matches the options that ask for JSON.
    private static final Pattern JSON = Pattern.compile("(?:^| )(?:--json|--format[ =]json)(?: |$)");

    private UsageErrors() {}

    static int report(Shell shell, ParameterException e, String... arguments) {
        String unknown = unknown(e.getCommandLine(), arguments);
        var command = unknown == null ? e.getCommandLine() : root(e.getCommandLine());
        String problem = unknown == null ? plain(e) : noCommand(unknown);
        String slip = unknown == null ? commonMistake(command, e) : command(command, unknown);
        String see = "see: " + command.getCommandSpec().qualifiedName() + " --help";
        if (JSON.matcher(String.join(" ", arguments)).find()) {
            String next = slip == null ? see : slip + "; " + see;
            return FailureText.of("usage", problem, next).print(shell, true, ExitCode.USAGE);
        }
        shell.fail("sheaf: " + TextFormat.showable(problem));
        if (slip != null) {
            shell.say("  " + TextFormat.showable(slip));
        }
        shell.say("  " + see);
        return ExitCode.USAGE.status();
    }

    private static CommandLine root(CommandLine command) {
        return command.getParent() == null ? command : root(command.getParent());
    }

    /// Returns the first word if it is not a command; null otherwise. picocli skips it and takes `rm` in `sheaf
    /// tag rm x` for the command.
    private static @Nullable String unknown(CommandLine command, String... arguments) {
        var names = root(command).getSubcommands();
        boolean known = arguments.length == 0
                || arguments[0].startsWith("-")
                || names.isEmpty()
                || names.containsKey(arguments[0]);
        return known ? null : arguments[0];
    }

    private static String noCommand(String typed) {
        return "there is no command " + Quoted.of(typed);
    }

    /// Returns a hint for a common mistake; null if the command line shows none.
    private static @Nullable String commonMistake(CommandLine command, ParameterException e) {
        var hint = command.getCommand() instanceof CliCommand own ? own.hintFor(e) : Optional.<String>empty();
        return hint.orElseGet(() -> e instanceof UnmatchedArgumentException unmatched ? suggestion(unmatched) : null);
    }

    /// Returns the command or option that was probably meant.
    private static @Nullable String suggestion(UnmatchedArgumentException e) {
        String typed = e.getUnmatched().getFirst();
        var command = e.getCommandLine();
        if (!typed.startsWith("-")) {
            return command(command, typed);
        }
        if (typed.length() < 4) {
            return null;
        }
        var options = command.getCommandSpec().optionsMap().keySet();
        String word = typed.substring(1).replaceFirst("=.*", "");
        String holding =
                options.stream().filter(name -> name.contains(word)).sorted().collect(Collectors.joining(" or "));
        String names = holding.isEmpty() ? SimilarNames.of("-" + word, options).orElse("") : holding;
        return names.isEmpty() ? null : "did you mean " + names + "?";
    }

    private static @Nullable String command(CommandLine group, String typed) {
        return SimilarNames.command(typed, group.getSubcommands().keySet())
                .map(name -> "did you mean " + group.getCommandSpec().qualifiedName() + " " + name + "?")
                .orElse(null);
    }

    /// Returns the names of the commands of a group, each once.
    private static String commands(CommandLine group) {
        return group.getSubcommands().values().stream()
                .map(CommandLine::getCommandName)
                .distinct()
                .collect(Collectors.joining(", "));
    }

    /// Rewrites picocli's messages in plain words, such as `Invalid value for positional parameter at index 1
    /// (ROLE): write …` and `Unmatched argument at index 0: 'psh'`.
    private static String plain(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            String message = INVALID.matcher(String.valueOf(e.getMessage())).replaceFirst("$1$2: ");
            if (message.equals("Missing required subcommand")) {
                return "a command is missing: " + commands(e.getCommandLine());
            }
            message = MISSING.matcher(message).replaceFirst("$1 is missing");
            return NO_PAIR.matcher(message).replaceFirst("$1: write $2, not $3");
        }
        String first = unmatched.getUnmatched().getFirst();
        boolean group = !e.getCommandLine().getSubcommands().isEmpty();
        if (first.startsWith("-")) {
            return "there is no option " + Quoted.of(first) + (group ? " here; options come after the command" : "");
        }
        return group ? noCommand(first) : Quoted.of(first) + " is one argument too many";
    }
}
