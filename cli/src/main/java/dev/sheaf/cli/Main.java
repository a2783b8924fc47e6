package dev.sheaf.cli;

/// The program.
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        System.exit(run(Shell.ofThisProcess(), arguments));
    }

    static int run(Shell shell, String... arguments) {
        var commands = Commands.of(shell, arguments.length == 0 ? "" : arguments[0]);
        if (arguments.length == 0) {
            commands.usage(commands.getOut());
            return ExitCode.OK.status();
        }
        int status = commands.execute(arguments);
        shell.out().flush();
        shell.err().flush();
        return status;
    }
}
