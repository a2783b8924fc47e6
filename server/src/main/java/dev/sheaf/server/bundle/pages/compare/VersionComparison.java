package dev.sheaf.server.bundle.pages.compare;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.server.bundle.diff.WordDiff;
import dev.sheaf.server.bundle.pages.source.LinePiece;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageFormat;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A comparison of two versions, as far as a page has room.
///
/// @param next the link to the following files; null if there are none
public record VersionComparison(
        List<Entry> entries,
        List<AddedFindings> fresh,
        @Nullable String next) {
    private static final int LIST = 16 << 10; // bytes of a page for the list of files
    private static final int ENTRY = 220;
    private static final int ROOM = 58 << 10; // bytes of a page for the changes in them
    private static final int SHARE = 16 << 10; // bytes of ROOM for one file, unless it is the only one
    private static final int BOX = 700;

    public VersionComparison {
        entries = List.copyOf(entries);
        fresh = List.copyOf(fresh);
    }

    /// The request.
    ///
    /// @param file the only shown file; empty means all
    /// @param after the path of the file before the first shown file; empty means from the beginning
    /// @param skip the number of rows of the first file to skip
    record Asked(String place, boolean isSplit, String file, String after, int skip) {
        ApiPath link() {
            return ApiPath.of(place).with("view", isSplit ? "split" : null);
        }
    }

    /// A file.
    ///
    /// @param diff the file's changes; null if they are not shown or there is nothing to show
    /// @param link the link to its diff, on this page or another
    /// @param more the link to the rest of the diff; null if there is none
    public record Entry(
            VersionDiff.Change change,
            int added,
            int removed,
            @Nullable FileDiff diff,
            String link,
            @Nullable String more) {
        public String label() {
            return switch (change.change()) {
                case "added" -> "Added";
                case "removed" -> "Removed";
                case "renamed" -> "Renamed, " + change.similarity() + " %";
                default -> "Changed";
            };
        }

        public @Nullable String tone() {
            return switch (change.change()) {
                case "added" -> "ok";
                case "removed" -> "bad";
                case "renamed" -> null;
                default -> "info";
            };
        }

        /// Returns its path; both paths of a renamed file.
        public String name() {
            var before = change.before();
            return PageFormat.visible(
                    change.change().equals("renamed") && before != null
                            ? before.logicalPath() + " \u2192 " + change.logicalPath()
                            : change.logicalPath());
        }

        /// Explains why there is nothing to show.
        public String why() {
            String omitted = change.diffOmitted();
            if (omitted != null) {
                return omitted.equals("binary")
                        ? "This is not text, or was not text before."
                        : "This is too large to compare line by line.";
            }
            if (change.diff() == null) {
                return "Its content is the same; its name, its kind or its mode changed.";
            }
            return diff == null ? "This page has no room for its changes." : "";
        }
    }

    static VersionComparison of(VersionDiff diff, Asked asked, Budget budget) {
        var words = new WordDiff(budget);
        var entries = new ArrayList<Entry>();
        int list = LIST;
        int room = ROOM;
        String next = null;
        for (var change : diff.changes()) {
            budget.check();
            String path = change.logicalPath();
            boolean isWanted = asked.file().isEmpty() ? path.compareTo(asked.after()) > 0 : path.equals(asked.file());
            if (!isWanted) {
                continue;
            }
            if (list <= 0) {
                next = asked.link()
                        .with("after", entries.getLast().change().logicalPath())
                        .toString();
                break;
            }
            boolean isFirst = entries.isEmpty();
            var entry = entry(change, asked, entries.size(), isFirst || room > 0 ? room : 0, words);
            entries.add(entry);
            list -= ENTRY + LinePiece.weight(entry.name()) + entry.link().length();
            room -= BOX
                    + 2 * LinePiece.weight(entry.name())
                    + (entry.diff() == null ? 0 : entry.diff().weight());
        }
        return new VersionComparison(entries, AddedFindings.of(diff.changes(), budget), next);
    }

    private static Entry entry(VersionDiff.Change change, Asked asked, int number, int room, WordDiff words) {
        String text = change.diff();
        String alone = asked.link().with("file", change.logicalPath()).toString();
        if (text == null) {
            return new Entry(change, 0, 0, null, room > 0 ? "#f" + number : alone, null);
        }
        var count = UnifiedDiff.count(text);
        if (room <= 0) {
            return new Entry(change, count.added(), count.removed(), null, alone, null);
        }
        boolean isAlone = !asked.file().isEmpty();
        int skip = isAlone ? asked.skip() : 0;
        int share = isAlone ? room : Math.min(room, SHARE);
        var shown = FileDiff.of(
                text, skip, share, ApiPath.encodeFile(change.logicalPath()).length() + 100, words);
        String more = shown.next() == 0
                ? null
                : asked.link()
                        .with("file", change.logicalPath())
                        .with("from", shown.next())
                        .toString();
        return new Entry(change, count.added(), count.removed(), shown, "#f" + number, more);
    }
}
