package dev.sheaf.cli.install;

import dev.sheaf.client.agents.InstallOptions;
import picocli.CommandLine.Option;

/// The options of commands that write into the folders of agents.
public final class InstallFlags {
    @Option(names = "--force", description = "Replace files that were changed there, or that were not installed.")
    private boolean force;

    @Option(names = "--offline", description = "Go by the cache and the lock alone; ask no registry.")
    private boolean offline;

    InstallOptions options() {
        return InstallOptions.DEFAULT.force(force).offline(offline);
    }
}
