package dev.sheaf.cli.admin;

import dev.sheaf.cli.command.Connection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/// `sheaf admin TASK`: a command for each task of an installation.
public final class TaskCommands {
    private static final Map<String, String> TASKS = new LinkedHashMap<>();

    static {
        TASKS.put("gc", "Removes content that nothing needs any more.");
        TASKS.put("sweep", "Finds stored bytes that no row names, puts them aside, and removes them days later.");
        TASKS.put("scrub", "Compares all stored content with its digests; what is damaged waits for a new push.");
        TASKS.put("fsck", "Checks that rows and stored content agree, and repairs what is safe to repair.");
        TASKS.put(
                "rotate-token-keys",
                "Makes the next key that access tokens are signed with; those that are out stay good.");
        TASKS.put("replace-token-keys", "The same after a leak: every access token that is out ends at once.");
        TASKS.put("rotate-pepper", "Makes the next pepper of API keys; each key moves to it when it is used.");
        TASKS.put("retire-pepper", "Ends the older peppers, with the keys that nobody has used since the new one.");
        TASKS.put("backup", "Backs the installation up, into the server's backup-dir; with --local, into [DIR].");
    }

    private TaskCommands() {}

    /// Adds them to `sheaf admin`, in the order of its help.
    public static void add(CommandLine admin, Supplier<Connection> connection) {
        TASKS.forEach((name, description) -> {
            var command = new CommandLine(task(name, connection.get()));
            command.getCommandSpec().usageMessage().description(description);
            admin.addSubcommand(name, command);
        });
    }

    private static AdminCommand.Run task(String name, Connection connection) {
        return switch (name) {
            case "replace-token-keys" ->
                new AdminCommand.Ending(name, "end every access token that is out", connection);
            case "retire-pepper" ->
                new AdminCommand.Ending(name, "end the API keys that nobody has used since the new pepper", connection);
            default -> new AdminCommand.Run(name, connection);
        };
    }
}
