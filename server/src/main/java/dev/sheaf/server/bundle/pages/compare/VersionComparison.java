package dev.sheaf.server.bundle.pages.compare;

import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.server.bundle.diff.WordDiff;
import dev.sheaf.server.bundle.pages.source.LinePiece;
import dev.sheaf.server.bundle.pages.source.SourceLanguage;
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

    /// A file.
    ///
    /// @param diff the file's changes; null if they are not shown or there is nothing to show
    /// @param rendered the changes of its rendered text; null if the lines are shown
    /// @param link the link to its diff, on this page or another
    /// @param more the link to the rest of the diff; null if there is none
    /// @param gap the beginning of the link that opens a gap; the number of its first line ends it
    public record Entry(
            VersionDiff.Change change,
            int added,
            int removed,
            @Nullable FileDiff diff,
            @Nullable RenderedDiff rendered,
            String link,
            @Nullable String more,
            String gap) {
        /// Returns the link that opens a gap in its place.
        ///
        /// @param id the file's id in the page
        public String opens(FileDiff.Row row, String id) {
            return gap + row.firstLeft() + "#" + id + "-r" + row.firstLeft();
        }

        /// Says how much changed, also where it is folded.
        ///
        /// @param wantsRendered whether the viewer wants to see Markdown rendered
        public String summary(boolean wantsRendered) {
            if (rendered != null) {
                return rendered.summary();
            }
            String more = added == 0 ? "" : PageFormat.count(added, "line", "lines") + " added";
            String less = removed == 0 ? "" : PageFormat.count(removed, "line", "lines") + " removed";
            return more
                    + (more.isEmpty() || less.isEmpty() ? "" : ", ")
                    + less
                    + (wantsRendered && SourceLanguage.isMarkdown(change.logicalPath()) ? "; too long to render" : "");
        }

        /// Returns whether it is an image that a page shows, before and after.
        public boolean isImage() {
            return "binary".equals(change.diffOmitted()) && ChangedImage.isShown(change);
        }

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
            if (change.diff().isEmpty()) {
                return "Only its white space changed.";
            }
            return diff == null ? "This page has no room for its changes." : "";
        }
    }

    /// @param texts the texts that the page needs besides the diff
    static VersionComparison of(VersionDiff diff, AskedComparison asked, ComparedTexts texts, Budget budget) {
        String files = ApiPath.of(
                        "/{}/{}/versions/{}",
                        diff.namespace(),
                        diff.slug(),
                        diff.to().version())
                + "/files/";
        var builder = new Files(asked, texts, files, new WordDiff(budget), budget);
        var entries = new ArrayList<Entry>();
        int list = LIST;
        int room = ROOM;
        String next = null;
        for (var change : asked.wanted(diff)) {
            budget.check();
            if (list <= 0) {
                next = asked.link()
                        .with("after", entries.getLast().change().logicalPath())
                        .toString();
                break;
            }
            boolean isFirst = entries.isEmpty();
            var entry = builder.entry(change, entries.size(), isFirst || room > 0 ? room : 0);
            entries.add(entry);
            list -= ENTRY + LinePiece.weight(entry.name()) + entry.link().length();
            room -= BOX
                    + 2 * LinePiece.weight(entry.name())
                    + (entry.rendered() == null ? 0 : entry.rendered().weight())
                    + (entry.diff() == null ? 0 : entry.diff().weight());
        }
        return new VersionComparison(entries, AddedFindings.of(diff.changes(), budget), next);
    }

    private record Files(AskedComparison asked, ComparedTexts texts, String files, WordDiff words, Budget budget) {
        Entry entry(VersionDiff.Change change, int number, int room) {
            String text = change.diff();
            String alone = asked.link().with("file", change.logicalPath()).toString();
            if (text == null || text.isEmpty()) {
                return new Entry(change, 0, 0, null, null, room > 0 ? "#f" + number : alone, null, "");
            }
            var count = UnifiedDiff.count(text);
            if (room <= 0 || texts.isLeftOut(change)) {
                return new Entry(change, count.added(), count.removed(), null, null, alone, null, "");
            }
            var rendered = asked.isRendered() ? RenderedDiff.of(change, files, texts, room, budget) : null;
            if (rendered != null) {
                return new Entry(change, count.added(), count.removed(), null, rendered, "#f" + number, null, "");
            }
            boolean isAlone = !asked.file().isEmpty();
            int skip = isAlone ? asked.skip() : 0;
            int share = isAlone || asked.opens(number) ? room : Math.min(room, SHARE);
            String gap = asked.opening(number);
            var page = new FileDiff.Page(share, gap.length() + 30, asked.isSplit());
            var shown = FileDiff.of(text, skip, page, texts.opened(change, number), words);
            String more = shown.next() == 0
                    ? null
                    : asked.link()
                            .with("file", change.logicalPath())
                            .with("from", shown.next())
                            .toString();
            return new Entry(change, count.added(), count.removed(), shown, null, "#f" + number, more, gap);
        }
    }
}
