package dev.sheaf.cli.install;

import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.api.PullOptions;
import picocli.CommandLine.Option;

/// The options of commands that write into the folders of agents.
public final class InstallFlags {
    @Option(names = "--force", description = "Replace files that were changed there, or that were not installed.")
    private boolean force;

    @Option(names = "--offline", description = "Go by the cache and the lock alone; ask no registry.")
    private boolean offline;

    @Option(
            names = "--allow-exec",
            description =
                    "Write also what runs programs by itself: skills with hooks, and MCP servers; you have looked at it.")
    private boolean allowExec;

    @Option(
            names = "--max-size",
            paramLabel = "SIZE",
            description = "The most that the files of one bundle may have, 2GiB if missing.")
    private Long mostBytes = PullOptions.MOST_BYTES;

    InstallOptions options() {
        return InstallOptions.DEFAULT
                .force(force)
                .offline(offline)
                .allowExec(allowExec)
                .mostBytes(mostBytes);
    }
}
