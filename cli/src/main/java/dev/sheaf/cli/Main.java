package dev.sheaf.cli;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.model.text.Quoted;
import java.util.Arrays;

/// The entry point of the command line.
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(Shell.ofThisProcess(), arguments));
    }

    public static int run(Shell shell, String... arguments) {
        int status = carryOut(shell, arguments);
        shell.out().flush();
        var lost = shell.lost();
        lost.ifPresent(
                why -> shell.say("sheaf: standard output was not written completely: " + TextFormat.showable(why)));
        shell.err().flush();
        return lost.isPresent() && status == ExitCode.OK.status() ? ExitCode.GENERAL.status() : status;
    }

    private static int carryOut(Shell shell, String... arguments) {
        if (arguments.length > 1 && arguments[0].equals("help") && !CommandTree.has(shell, arguments[1])) {
            shell.say("sheaf: there is no command " + Quoted.of(arguments[1]) + "\n  see: sheaf --help");
            return ExitCode.USAGE.status();
        }
        if (arguments.length > 0 && arguments[0].equals("help")) {
            return carryOut(shell, asOption(arguments));
        }
        var commands = CommandTree.of(shell, arguments.length == 0 ? "" : arguments[0]);
        if (arguments.length == 0) {
            commands.usage(commands.getOut());
            return ExitCode.OK.status();
        }
        return commands.execute(arguments);
    }

    /// Rewrites `help tags set` as `tags set --help`; other programs accept both.
    private static String[] asOption(String[] arguments) {
        var all = Arrays.copyOfRange(arguments, 1, arguments.length + 1);
        all[all.length - 1] = "--help";
        return all;
    }
}
