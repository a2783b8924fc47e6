package dev.sheaf.cli.install;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Confirmation;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.OptionalValue;
import dev.sheaf.cli.command.RepeatedValue;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.agents.InstallOptions;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.model.Namespace;
import java.util.List;

/// The options of commands that write into the folders of agents.
record InstallFlags(
        FlagOption force,
        FlagOption offline,
        FlagOption allowExec,
        FlagOption acceptFindings,
        OptionalValue<Long> mostBytes,
        RepeatedValue<Namespace> acceptedOwners) {
    static InstallFlags of(CliCommand command) {
        return new InstallFlags(
                command.flag("--force", "Replace files that were changed there, or that were not installed."),
                command.flag("--offline", "Use only the cache and the lock; ask no registry."),
                command.flag(
                        "--allow-exec",
                        "Also write content that starts programs automatically: skills with hooks, MCP servers. Review it"
                                + " first. Without this, asks; refuses if there is no terminal."),
                command.flag(
                        "--accept-findings",
                        "Also write content with findings of high severity, such as hidden commands, or too large to be"
                                + " checked as a whole. Review it first."
                                + " Without this, asks; refuses if there is no terminal."),
                command.option(
                        Long.class, "--max-size", "SIZE", "The largest total size of a bundle's files. Default: 2GiB."),
                command.options(
                        Namespace.class,
                        "--accept-owner",
                        "NS",
                        "Also install required bundles of this namespace if it has another owner than when they were"
                                + " required."));
    }

    /// @param shell its terminal, if there is one, asks for consent that no option gives
    InstallOptions options(Shell shell) {
        return InstallOptions.DEFAULT
                .force(force.isGiven())
                .offline(offline.isGiven())
                .allowExec(allowExec.isGiven())
                .acceptFindings(acceptFindings.isGiven())
                .consent((reason, what) -> shell.terminal() && isGiven(shell, reason, what))
                .mostBytes(mostBytes.or(PullOptions.MOST_BYTES))
                .acceptOwners(acceptedOwners.get());
    }

    private static boolean isGiven(Shell shell, String reason, List<String> what) {
        shell.say(reason + ":");
        what.forEach(line -> shell.say("  " + TextFormat.showable(line)));
        return Confirmation.isAnsweredYes(shell, "Install it anyway? [y/N] ");
    }
}
