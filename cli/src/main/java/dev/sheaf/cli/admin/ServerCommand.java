package dev.sheaf.cli.admin;

import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Shell;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/// Represents a command of the server in help. The launcher starts such a command from the server's jar.
@Command
public final class ServerCommand implements Callable<Integer> {
    private final Shell shell;
    private final String name;

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    public ServerCommand(Shell shell, String name) {
        this.shell = shell;
        this.name = name;
    }

    @Override
    public Integer call() {
        shell.say(("sheaf: " + name + " is a command of the server; start it through the launcher: ./sheaf " + name
                        + " " + String.join(" ", arguments))
                .stripTrailing());
        return ExitCode.USAGE.status();
    }
}
