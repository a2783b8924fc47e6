package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.CliCommand;
import dev.sheaf.cli.command.Confirmation;
import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Table;
import dev.sheaf.client.Bundle;
import dev.sheaf.client.api.RecallNotice;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RecallSeverity;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionRange;
import dev.sheaf.model.wire.bundle.Advisory;
import dev.sheaf.model.wire.bundle.VersionRecall;
import dev.sheaf.model.wire.bundle.VersionSummary;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Commands that take bad versions from everybody.
public final class RecallCommands {
    private static final int MOST_ADVISORIES = 1_000;

    private RecallCommands() {}

    public static CliCommand recall(Connection connection) {
        var command = ResourceCommand.of(
                        connection,
                        "recall",
                        "Takes versions that turned out bad from everybody. Those who have them installed learn of it.")
                .footer(
                        "",
                        "All versions of the bundle with the same content are recalled too. To withdraw a version but keep it"
                                + " for users who pinned it: sheaf yank.",
                        "This command needs an API key with the scope admin. People do it in the console.");
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
                    var found = range.isGiven() ? inRange(bundle, range.or("")) : List.of(Wanted.of(bundle, version));
                    var wanted = found.stream().map(Wanted::version).toList();
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
                                    + "; nobody gets its files any more" + changes(found, notice));
                    return ExitCode.OK;
                });
    }

    /// A version to recall.
    ///
    /// @param before its recall until now; null if it is not recalled
    private record Wanted(Version version, @Nullable VersionRecall before) {
        static Wanted of(Bundle bundle, VersionArgument argument) {
            var version = argument.exact();
            return new Wanted(version, bundle.version(version).recall());
        }
    }

    /// Returns how severities change, as the end of a sentence.
    private static String changes(List<Wanted> found, RecallNotice notice) {
        String now = notice.severity().toString();
        return found.stream()
                .filter(one -> one.before() != null && !one.before().severity().equals(now))
                .map(one -> "; " + one.version() + " was " + one.before().severity() + ", is " + now + " now")
                .collect(Collectors.joining());
    }

    private static List<Wanted> inRange(Bundle bundle, String text) {
        var range = VersionRange.find(text)
                .orElseThrow(() -> Problem.invalid("format", "--range must be a range such as '<1.2.4'"));
        var inside = bundle.versions(Integer.MAX_VALUE).stream()
                .map(summary -> new Wanted(Version.parse(summary.version()), summary.recall()))
                .filter(one -> range.highest(List.of(one.version())).isPresent())
                .toList();
        if (inside.isEmpty()) {
            throw Problem.invalid("range", "no version of " + bundle.name() + " is in " + text);
        }
        return inside;
    }

    private static String words(List<Version> versions) {
        return versions.stream().map(Version::toString).collect(Collectors.joining(", "));
    }

    public static CliCommand advisories(Connection connection) {
        var command = ResourceCommand.of(connection, "advisories", "Lists what was recalled in a namespace.");
        var namespace = command.argument(Namespace.class, "NAMESPACE", "The namespace, such as acme.");
        return command.run(client -> command.output.list(
                client.advisories(namespace.get(), MOST_ADVISORIES),
                RecallCommands::name,
                new Table<Advisory>()
                        .column("VERSION", RecallCommands::name)
                        .column("SEVERITY", Advisory::severity)
                        .column("RECALLED", Advisory::recalledAt)
                        .column("INSTEAD", advisory -> Objects.requireNonNullElse(advisory.replacement(), "-"))
                        .column("REASON", Advisory::reason),
                "nothing was recalled in " + namespace.get()));
    }

    private static String name(Advisory advisory) {
        return advisory.namespace() + "/" + advisory.bundle() + ":" + advisory.version();
    }

    public static CliCommand unrecall(Connection connection) {
        var command = ResourceCommand.of(
                        connection,
                        "unrecall",
                        "Ends the recall of a version. Only owners of the organization can do this, in the console. Tags that"
                                + " left it stay where they are.")
                .footer("", "This command takes an API key with the scope admin, while the organization has no owner.");
        var version = VersionArgument.of(command);
        var confirmation = new Confirmation(command, connection.shell());
        return command.exit(client -> {
            var ended = List.of(version.exact());
            if (!confirmation.given(
                    "end the recall of " + version + command.at() + ", so that its files are handed out again")) {
                return ExitCode.OK;
            }
            var done = version.bundle(client).unrecall(ended);
            command.output.done(done, version, version + " is not recalled now");
            return ExitCode.OK;
        });
    }
}
