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
        TASKS.put("gc", "Removes content that nothing refers to any more.");
        TASKS.put("sweep", "Quarantines stored bytes that no database row names. Removes them days later.");
        TASKS.put(
                "scrub", "Compares all stored content with its digests. The next push of damaged content replaces it.");
        TASKS.put("fsck", "Checks that rows and stored content agree; repairs what is safe.");
        TASKS.put(
                "rotate-token-keys",
                "Creates a new signing key for access tokens. Tokens that were issued stay valid.");
        TASKS.put(
                "replace-token-keys",
                "Replaces the signing keys after a leak. All issued access tokens end immediately.");
        TASKS.put("rotate-pepper", "Creates a new pepper for API keys. Each key moves to it when it is used.");
        TASKS.put(
                "retire-pepper",
                "Ends the older peppers, and the keys that were not used since the newest one was made.");
        TASKS.put("backup", "Backs up the installation into the server's backup-dir. With --local: into [DIR].");
    }

    private TaskCommands() {}

    /// Adds the tasks to `sheaf admin`, in the order of its help.
    public static void add(CommandLine admin, Supplier<Connection> connection) {
        TASKS.forEach((name, description) -> {
            var command = new CommandLine(task(name, connection.get()));
            command.getCommandSpec().usageMessage().description(description);
            admin.addSubcommand(name, command);
        });
    }

    private static AdminCommand.Run task(String name, Connection connection) {
        return switch (name) {
            case "replace-token-keys" -> new AdminCommand.Ending(name, "end all issued access tokens", connection);
            case "retire-pepper" ->
                new AdminCommand.Ending(name, "end the API keys that were not used since the new pepper", connection);
            default -> new AdminCommand.Run(name, connection);
        };
    }
}
