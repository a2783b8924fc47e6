package dev.sheaf.cli.admin;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.terminal.Shell;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.UnmatchedArgsBinding;

/// Represents a command of the server in help. The launcher starts such a command from the server's jar.
public final class ServerCommand extends CliCommand {
    private List<String> arguments = List.of();

    /// @param path its name, after that of its group
    public ServerCommand(Shell shell, String path, String description) {
        super(path.substring(path.lastIndexOf(' ') + 1), description);
        spec().addUnmatchedArgsBinding(UnmatchedArgsBinding.forStringArrayConsumer(new ISetter() {
            @Override
            public <T> @Nullable T set(@Nullable T value) { // null before the command line is parsed
                arguments = value instanceof String[] typed ? List.of(typed) : List.of();
                return value;
            }
        }));
        setWork(() -> {
            shell.say(("sheaf: " + path + " is a command of the server; start it through the launcher: ./sheaf " + path
                            + " " + String.join(" ", arguments))
                    .stripTrailing());
            return ExitCode.USAGE;
        });
    }
}
