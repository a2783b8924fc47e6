package dev.sheaf.cli.install;

import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.api.PullOptions;
import picocli.CommandLine.Option;

/// The options of commands that write into the folders of agents.
public final class InstallFlags {
    @Option(names = "--force", description = "Replace files that were changed there, or that were not installed.")
    private boolean force;

    @Option(names = "--offline", description = "Use only the cache and the lock; ask no registry.")
    private boolean offline;

    @Option(
            names = "--allow-exec",
            description =
                    "Also write content that starts programs automatically: skills with hooks, MCP servers. Review it first.")
    private boolean allowExec;

    @Option(
            names = "--max-size",
            paramLabel = "SIZE",
            description = "The largest total size of a bundle's files. Default: 2GiB.")
    private Long mostBytes = PullOptions.MOST_BYTES;

    InstallOptions options() {
        return InstallOptions.DEFAULT
                .force(force)
                .offline(offline)
                .allowExec(allowExec)
                .mostBytes(mostBytes);
    }
}
