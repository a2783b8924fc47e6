package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Confirmation;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.client.Bundle;
import dev.sheaf.client.api.RecallNotice;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RecallSeverity;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionRange;
import dev.sheaf.model.wire.bundle.VersionSummary;
import java.util.List;
import java.util.stream.Collectors;

/// Commands that take bad versions from everybody.
public final class RecallCommands {
    private RecallCommands() {}

    public static CliCommand recall(Connection connection) {
        var command = ResourceCommand.of(
                        connection,
                        "recall",
                        "Takes versions that turned out bad from everybody. Those who have them installed learn of it.")
                .footer(
                        "",
                        "All versions of the bundle with the same content are recalled too. To withdraw a version but keep it"
                                + " for users who pinned it: sheaf yank.");
        var version = VersionArgument.of(command);
        var reason = command.requiredOption("--reason", "TEXT", "Why, in a sentence that everybody sees.");
        var severity = command.option(
                RecallSeverity.class, "--severity", "WORD", "low, medium, high or critical. Default: high.");
        var range = command.option(
                "--range", "RANGE", "All versions in a range, such as '<1.2.4', of a REF without a version.");
        var replacement = command.option("--replacement", "TEXT", "What to use instead.");
        var advisory = command.option("--advisory", "URL", "An address with more.");
        var confirmation = new Confirmation(command, connection.shell());
        return command.check(() -> command.refuse(
                        range.isGiven() != version.isWholeBundle(),
                        "name one version, such as " + version.repository() + ":1.2.3, or a bundle with a --range"))
                .exit(client -> {
                    var bundle = version.bundle(client);
                    var notice = new RecallNotice(
                            severity.or(RecallSeverity.HIGH), reason.get(), advisory.get(), replacement.get());
                    var wanted = range.isGiven() ? inRange(bundle, range.or("")) : List.of(version.exact());
                    String names = words(wanted);
                    if (!confirmation.given("recall " + version.repository() + ":" + names + command.at())) {
                        return ExitCode.OK;
                    }
                    var done = range.isGiven()
                            ? bundle.recall(range.or(""), wanted, notice)
                            : bundle.recall(wanted, notice);
                    command.output.done(
                            done,
                            version,
                            "recalled " + version.repository() + ":"
                                    + done.stream().map(VersionSummary::version).collect(Collectors.joining(", "))
                                    + "; nobody gets its files any more");
                    return ExitCode.OK;
                });
    }

    private static List<Version> inRange(Bundle bundle, String text) {
        var range = VersionRange.find(text)
                .orElseThrow(() -> Problem.invalid("format", "--range must be a range such as '<1.2.4'"));
        var inside = bundle.versions(Integer.MAX_VALUE).stream()
                .map(summary -> Version.parse(summary.version()))
                .filter(version -> range.highest(List.of(version)).isPresent())
                .toList();
        if (inside.isEmpty()) {
            throw Problem.invalid("range", "no version of " + bundle.name() + " is in " + text);
        }
        return inside;
    }

    private static String words(List<Version> versions) {
        return versions.stream().map(Version::toString).collect(Collectors.joining(", "));
    }

    public static CliCommand unrecall(Connection connection) {
        var command = ResourceCommand.of(
                connection,
                "unrecall",
                "Ends the recall of a version. Only an owner of the organization can do this. Tags that left it stay where"
                        + " they are.");
        var version = VersionArgument.of(command);
        return command.change(
                client -> version.bundle(client).unrecall(List.of(version.exact())),
                _ -> version,
                _ -> version + " is not recalled now");
    }
}
