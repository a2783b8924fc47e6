package dev.sheaf.cli.admin;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.model.wire.admin.TaskKind;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine;

/// `sheaf admin TASK`: a command for each task of an installation.
public final class TaskCommands {
    /// The commands in the order of the help: what keeps the content, then keys, then the backup.
    private static final List<TaskKind> ORDER = List.of(
            TaskKind.GC,
            TaskKind.SWEEP,
            TaskKind.SCRUB,
            TaskKind.FSCK,
            TaskKind.ROTATE_TOKEN_KEYS,
            TaskKind.REPLACE_TOKEN_KEYS,
            TaskKind.ROTATE_PEPPER,
            TaskKind.RETIRE_PEPPER,
            TaskKind.BACKUP);

    private TaskCommands() {}

    /// Adds the tasks to `sheaf admin`. `audit-verify` is `sheaf admin audit verify`.
    public static void add(CommandLine admin, Supplier<Connection> connection) {
        ORDER.forEach(kind -> {
            var command = new CommandLine(task(kind, connection.get()));
            command.getCommandSpec()
                    .usageMessage()
                    .description(
                            kind == TaskKind.BACKUP ? kind.purpose() + " With --local: into [DIR]." : kind.purpose());
            admin.addSubcommand(kind.toString(), command);
        });
    }

    private static AdminCommand.Run task(TaskKind kind, Connection connection) {
        return kind.endsAccess()
                ? new AdminCommand.Ending(kind, connection)
                : new AdminCommand.Run(kind.toString(), connection);
    }
}
