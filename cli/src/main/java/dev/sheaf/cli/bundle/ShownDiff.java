package dev.sheaf.cli.bundle;

import dev.sheaf.cli.terminal.Output;
import dev.sheaf.cli.terminal.Shell;
import dev.sheaf.cli.terminal.TextFormat;
import dev.sheaf.model.wire.bundle.RequiredBundle;
import dev.sheaf.model.wire.bundle.VersionDiff;
import org.jspecify.annotations.Nullable;

/// The changes between two versions, as unified diffs.
///
/// @param stat whether to name only the files
/// @param ignoresWhiteSpace whether lines that differ only in white space are the same
record ShownDiff(VersionDiff diff, boolean stat, boolean ignoresWhiteSpace) {
    private static final String RED = "\u001b[31m";
    private static final String GREEN = "\u001b[32m";
    private static final String PLAIN = "\u001b[0m";

    void show(Output output) {
        output.show(
                diff,
                this::print,
                () -> diff.changes().stream()
                        .map(VersionDiff.Change::logicalPath)
                        .toList());
        boolean isWhiteSpace =
                !diff.changes().isEmpty() && diff.changes().stream().allMatch(this::isWhiteSpace);
        var from = diff.from();
        output.say(TextFormat.showable((from == null ? "nothing" : from.version()) + " to "
                        + diff.to().version()) + ": " + diff.added()
                + " added, " + diff.removed() + " removed, " + diff.changed() + " changed, " + diff.renamed()
                + " renamed, " + diff.unchanged() + " the same" + (isWhiteSpace ? "; only white space changed" : ""));
    }

    private void print(Shell shell) {
        var requires = diff.requires();
        if (requires != null) {
            requires.forEach(change -> shell.out()
                    .println(TextFormat.showable(change.change() + "  requires " + change.bundle()
                            + range(change.before()) + " ->" + range(change.after()))));
        }
        for (var change : diff.changes()) {
            String path = change.logicalPath();
            var before = change.before();
            if (change.change().equals("renamed") && before != null) {
                path = before.logicalPath() + " -> " + path;
            }
            String omitted = change.diffOmitted() == null || stat ? "" : " (" + change.diffOmitted() + ")";
            String blank = isWhiteSpace(change) ? " (only white space)" : "";
            shell.out().println(TextFormat.showable(change.change() + "  " + path + mode(change) + omitted + blank));
            var text = change.diff();
            if (text != null && !stat) {
                text.lines()
                        .map(line -> coloured(TextFormat.showableLine(line), shell))
                        .forEach(shell.out()::println);
            }
        }
    }

    private static String range(@Nullable RequiredBundle required) {
        return required == null
                ? " none"
                : " " + required.range() + (Boolean.TRUE.equals(required.optional()) ? " (optional)" : "");
    }

    /// Returns whether the content of a file differs only in white space, which is ignored.
    private boolean isWhiteSpace(VersionDiff.Change change) {
        return ignoresWhiteSpace && change.change().equals("changed") && "".equals(change.diff());
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
