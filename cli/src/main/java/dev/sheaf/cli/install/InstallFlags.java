package dev.sheaf.cli.install;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.api.PullOptions;

/// The options of commands that write into the folders of agents.
record InstallFlags(FlagOption force, FlagOption offline, FlagOption allowExec, OptionalValue<Long> mostBytes) {
    static InstallFlags of(CliCommand command) {
        return new InstallFlags(
                command.flag("--force", "Replace files that were changed there, or that were not installed."),
                command.flag("--offline", "Use only the cache and the lock; ask no registry."),
                command.flag(
                        "--allow-exec",
                        "Also write content that starts programs automatically: skills with hooks, MCP servers. Review it"
                                + " first."),
                command.option(
                        Long.class,
                        "--max-size",
                        "SIZE",
                        "The largest total size of a bundle's files. Default: 2GiB."));
    }

    InstallOptions options() {
        return InstallOptions.DEFAULT
                .force(force.isGiven())
                .offline(offline.isGiven())
                .allowExec(allowExec.isGiven())
                .mostBytes(mostBytes.or(PullOptions.MOST_BYTES));
    }
}
