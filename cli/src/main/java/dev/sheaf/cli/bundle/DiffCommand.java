package dev.sheaf.cli.bundle;

import dev.sheaf.cli.command.Connection;
import dev.sheaf.cli.command.FlagOption;
import dev.sheaf.cli.command.RequiredValue;
import dev.sheaf.cli.command.ResourceCommand;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.client.SheafClient;
import dev.sheaf.model.Reference;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.wire.bundle.VersionDiff;

/// The command `sheaf diff`.
public final class DiffCommand extends ResourceCommand<SheafClient> {
    private static final String RED = "\u001b[31m";
    private static final String GREEN = "\u001b[32m";
    private static final String PLAIN = "\u001b[0m";

    private final RequiredValue<Reference> from =
            argument(Reference.class, "REF", "The older one: namespace/bundle:version_or_tag.");
    private final RequiredValue<String> to =
            argument("VERSION", "The newer one: a version, a tag or a range, or a reference to the same bundle.");
    private final FlagOption stat = flag("--stat", "Show only which files changed.");

    private final FlagOption ignoreWhiteSpace =
            flag("-w --ignore-white-space", "Take lines for the same that differ only in white space.");

    public DiffCommand(Connection connection) {
        super(connection, client -> client, "diff", "Shows the changes between two versions, as unified diffs.");
        footer("", "Example: sheaf diff acme/kit:1.0.0 1.1.0");
        check(this::selector);
        run(this::show);
    }

    /// Parses the newer version: a reference contains a slash; versions, tags and ranges do not.
    private VersionSelector selector() {
        if (to.get().indexOf('/') < 0) {
            return VersionSelector.parse(to.get());
        }
        var older = from.get().repository();
        var other = Reference.parse(to.get());
        refuse(
                !other.repository().equals(older),
                "only versions of one bundle can be compared: " + older + " and " + other.repository()
                        + " are different bundles");
        return other.selector();
    }

    private void show(SheafClient client) {
        var diff = client.bundle(from.get().repository())
                .diff(from.get().selector().toString(), selector().toString(), ignoreWhiteSpace.isGiven());
        output.show(
                diff,
                shell -> print(diff, shell),
                () -> diff.changes().stream()
                        .map(VersionDiff.Change::logicalPath)
                        .toList());
        boolean isWhiteSpace =
                !diff.changes().isEmpty() && diff.changes().stream().allMatch(this::isWhiteSpace);
        output.say(TextFormat.showable(
                        diff.from().version() + " to " + diff.to().version()) + ": " + diff.added()
                + " added, " + diff.removed() + " removed, " + diff.changed() + " changed, " + diff.renamed()
                + " renamed, " + diff.unchanged() + " the same" + (isWhiteSpace ? "; only white space changed" : ""));
    }

    private void print(VersionDiff diff, Shell shell) {
        for (var change : diff.changes()) {
            String path = change.logicalPath();
            var before = change.before();
            if (change.change().equals("renamed") && before != null) {
                path = before.logicalPath() + " -> " + path;
            }
            String omitted = change.diffOmitted() == null || stat.isGiven() ? "" : " (" + change.diffOmitted() + ")";
            String blank = isWhiteSpace(change) ? " (only white space)" : "";
            shell.out().println(TextFormat.showable(change.change() + "  " + path + mode(change) + omitted + blank));
            var text = change.diff();
            if (text != null && !stat.isGiven()) {
                text.lines()
                        .map(line -> coloured(TextFormat.showableLine(line), shell))
                        .forEach(shell.out()::println);
            }
        }
    }

    /// Returns whether the content of a file differs only in white space, which is ignored.
    private boolean isWhiteSpace(VersionDiff.Change change) {
        return ignoreWhiteSpace.isGiven() && change.change().equals("changed") && "".equals(change.diff());
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
