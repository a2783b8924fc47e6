package dev.sheaf.server.bundle.pages.files;

import static java.util.Objects.requireNonNull;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.server.bundle.diff.WhiteSpace;
import dev.sheaf.server.bundle.pages.BundleReader;
import dev.sheaf.server.bundle.pages.compare.ChangedLines;
import dev.sheaf.server.bundle.pages.source.LinePiece;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The files that changed since the version before.
///
/// @param before the number of that version
/// @param all the number of changed files
/// @param same the number of files that are the same
/// @param link the comparison of the two versions
public record ChangedFiles(String before, List<File> shown, int all, int same, String link) {
    private static final int ROOM = 10 << 10; // bytes of a page
    private static final int ENTRY = 400;
    private static final long MOST_BYTES = 4L << 20; // of both versions

    public ChangedFiles {
        shown = List.copyOf(shown);
    }

    /// A changed file.
    public record File(String name, String change, String icon, String tone, int added, int removed, String link) {}

    /// Returns the changes; null if there is no version before, or if it would take long to compare the two.
    static @Nullable ChangedFiles of(PageCall page, BundleReader bundles, OpenedVersion opened) {
        var from = bundles.before(opened.found()).orElse(null);
        if (from == null) {
            return null;
        }
        var seen = opened.seen();
        String before = from.resolved().version().version().toString();
        String now = opened.version().version();
        String link = ApiPath.of("/{}/{}/compare/{}", seen.namespace(), seen.bundle(), before + "..." + now)
                .toString();
        if (from.resolved().version().size() + opened.version().sizeBytes() > MOST_BYTES) {
            return new ChangedFiles(before, List.of(), 0, 0, link);
        }
        try {
            return of(bundles.diff(page, from, opened.found(), WhiteSpace.COMPARE), link);
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.RateLimited || e.problem() instanceof Problem.Unavailable) {
                return new ChangedFiles(before, List.of(), 0, 0, link); // the page is about more than this
            }
            throw e;
        }
    }

    private static ChangedFiles of(VersionDiff diff, String link) {
        var shown = new ArrayList<File>();
        int room = ROOM;
        for (var change : diff.changes()) {
            var file = file(change, link);
            room -= ENTRY + LinePiece.weight(file.name()) + file.link().length();
            if (room < 0) {
                break;
            }
            shown.add(file);
        }
        return new ChangedFiles(
                requireNonNull(diff.from()).version(), shown, diff.changes().size(), diff.unchanged(), link);
    }

    private static File file(VersionDiff.Change change, String link) {
        var lines = ChangedLines.of(change.diff());
        String one = ApiPath.of(link).with("file", change.logicalPath()).toString();
        String name = PageFormat.visible(change.logicalPath());
        return switch (change.change()) {
            case "added" ->
                isExecutable(change.after())
                        ? new File(name, "Added, executable", "play", "warn", lines.added(), 0, one)
                        : new File(name, "Added", "plus", "ok", lines.added(), 0, one);
            case "removed" -> new File(name, "Removed", "minus", "bad", 0, lines.removed(), one);
            default -> {
                String word = change.change().equals("renamed") ? "Renamed" : "Changed";
                yield isExecutable(change.after()) && !isExecutable(change.before())
                        ? new File(name, word + ", now executable", "play", "warn", lines.added(), lines.removed(), one)
                        : new File(name, word, "compare", "info", lines.added(), lines.removed(), one);
            }
        };
    }

    private static boolean isExecutable(@Nullable Layer file) {
        return file != null && Boolean.TRUE.equals(file.executable());
    }

    public int more() {
        return all - shown.size();
    }
}
