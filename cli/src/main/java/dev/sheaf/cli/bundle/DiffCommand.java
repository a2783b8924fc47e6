package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.ExitCode;
import dev.sheaf.cli.command.RegistryCommand;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.Text;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Selector;
import dev.sheaf.model.wire.bundle.VersionDiff;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "diff",
        description = "Shows the changes between two versions, as unified diffs.",
        footer = {"", "Example: sheaf diff acme/kit:1.0.0 1.1.0"})
public final class DiffCommand extends RegistryCommand {
    private static final String RED = "\u001b[31m";
    private static final String GREEN = "\u001b[32m";
    private static final String PLAIN = "\u001b[0m";

    @Parameters(index = "0", paramLabel = "REF", description = "The older one: namespace/bundle:version_or_tag.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Reference from;

    @Parameters(
            index = "1",
            paramLabel = "VERSION",
            description = "The newer one: a version, a tag or a range, or a reference to the same bundle.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String to;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--stat", description = "Show only which files changed.")
    private boolean stat;

    public DiffCommand(Connection connection) {
        super(connection);
    }

    @Override
    protected boolean ready() {
        selector();
        return true;
    }

    /// Parses the newer version: a reference contains a slash; versions, tags and ranges do not.
    private Selector selector() {
        if (to.indexOf('/') < 0) {
            return Selector.parse(to);
        }
        var other = Reference.parse(to);
        if (other.repository().equals(from.repository())) {
            return other.selector();
        }
        throw new ParameterException(
                spec.commandLine(),
                "only versions of one bundle can be compared: " + from.repository() + " and " + other.repository()
                        + " are different bundles");
    }

    @Override
    protected ExitCode run(SheafClient client) {
        var diff = client.bundle(from.repository())
                .diff(from.selector().toString(), selector().toString());
        output.show(
                diff,
                shell -> print(diff, shell),
                () -> diff.changes().stream()
                        .map(VersionDiff.Change::logicalPath)
                        .toList());
        output.say(Text.showable(diff.from().version() + " to " + diff.to().version()) + ": " + diff.added()
                + " added, " + diff.removed() + " removed, " + diff.changed() + " changed, " + diff.renamed()
                + " renamed, " + diff.unchanged() + " the same");
        return ExitCode.OK;
    }

    private void print(VersionDiff diff, Shell shell) {
        for (var change : diff.changes()) {
            String path = change.logicalPath();
            var before = change.before();
            if (change.change().equals("renamed") && before != null) {
                path = before.logicalPath() + " -> " + path;
            }
            String omitted = change.diffOmitted() == null || stat ? "" : " (" + change.diffOmitted() + ")";
            shell.out().println(Text.showable(change.change() + "  " + path + mode(change) + omitted));
            var text = change.diff();
            if (text != null && !stat) {
                text.lines()
                        .map(line -> coloured(Text.showableLine(line), shell))
                        .forEach(shell.out()::println);
            }
        }
    }

    /// Describes a change of the executable bit, if both are known.
    private static String mode(VersionDiff.Change change) {
        var before = change.before() == null ? null : change.before().executable();
        var after = change.after() == null ? null : change.after().executable();
        if (before == null || after == null || before.equals(after)) {
            return "";
        }
        return after ? " (executable now)" : " (no longer executable)";
    }

    private static String coloured(String line, Shell shell) {
        if (!shell.colour() || line.isEmpty() || line.startsWith("+++") || line.startsWith("---")) {
            return line;
        }
        return switch (line.charAt(0)) {
            case '+' -> GREEN + line + PLAIN;
            case '-' -> RED + line + PLAIN;
            default -> line;
        };
    }
}
