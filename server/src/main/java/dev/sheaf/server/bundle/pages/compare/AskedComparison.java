package dev.sheaf.server.bundle.pages.compare;

import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.server.bundle.diff.WhiteSpace;
import dev.sheaf.server.console.ApiPath;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a viewer wants to see of a comparison, by the query of the page.
///
/// @param view `split`, `rendered`, or empty for unified diffs
/// @param file the only shown file; empty means all
/// @param after the path of the file before the first shown file; empty means from the beginning
/// @param skip the number of rows of the first file to skip
/// @param open the gaps that are open
public record AskedComparison(
        String place, String view, WhiteSpace whiteSpace, String file, String after, int skip, Set<Gap> open) {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,7}");
    private static final Pattern GAP = Pattern.compile("([0-9]{1,4})\\.([0-9]{1,7})");
    private static final int MOST_GAPS = 20;

    public AskedComparison {
        open = Set.copyOf(open);
    }

    /// Lines left out of a diff.
    ///
    /// @param file the number of the file on the page
    /// @param first the number of the first line in the new file
    record Gap(int file, int first) implements Comparable<Gap> {
        @Override
        public int compareTo(Gap other) {
            return file == other.file ? Integer.compare(first, other.first) : Integer.compare(file, other.file);
        }

        @Override
        public String toString() {
            return file + "." + first;
        }
    }

    public static AskedComparison of(PageCall page, String place) {
        String view = PageFormat.text(page.query("view"));
        String skip = PageFormat.text(page.query("from"));
        return new AskedComparison(
                place,
                Set.of("split", "rendered").contains(view) ? view : "",
                "ignore".equals(page.query("space")) ? WhiteSpace.IGNORE : WhiteSpace.COMPARE,
                PageFormat.text(page.query("file")),
                PageFormat.text(page.query("after")),
                NUMBER.matcher(skip).matches() ? Integer.parseInt(skip) : 0,
                gaps(PageFormat.text(page.query("open"))));
    }

    private static Set<Gap> gaps(String text) {
        return GAP.matcher(text)
                .results()
                .limit(MOST_GAPS)
                .map(gap -> new Gap(Integer.parseInt(gap.group(1)), Integer.parseInt(gap.group(2))))
                .collect(Collectors.toSet());
    }

    public boolean isSplit() {
        return view.equals("split");
    }

    public boolean isRendered() {
        return view.equals("rendered");
    }

    public boolean ignoresWhiteSpace() {
        return whiteSpace == WhiteSpace.IGNORE;
    }

    /// Returns the changes to show, without a limit.
    List<VersionDiff.Change> wanted(VersionDiff diff) {
        return diff.changes().stream()
                .filter(change -> file.isEmpty()
                        ? change.logicalPath().compareTo(after) > 0
                        : change.logicalPath().equals(file))
                .toList();
    }

    /// Returns the link to all files in the same view.
    ApiPath link() {
        return link(view, whiteSpace);
    }

    private ApiPath link(String otherView, WhiteSpace otherSpace) {
        return ApiPath.of(place)
                .with("view", otherView.isEmpty() ? null : otherView)
                .with("space", otherSpace == WhiteSpace.IGNORE ? "ignore" : null);
    }

    /// Returns the link to all files in the same view.
    public String all() {
        return link().toString();
    }

    /// Returns the link to the same files in another view.
    public String in(String otherView) {
        return here(link(otherView, whiteSpace)).toString();
    }

    /// Returns the link to the same files where white space counts, or does not.
    public String space(boolean isIgnored) {
        return here(link(view, isIgnored ? WhiteSpace.IGNORE : WhiteSpace.COMPARE))
                .toString();
    }

    /// Returns the link to another file alone, in the same view.
    public String alone(String otherFile) {
        return link().with("file", otherFile).toString();
    }

    private ApiPath here(ApiPath link) {
        return link.with("file", file.isEmpty() ? null : file).with("after", after.isEmpty() ? null : after);
    }

    /// Returns the beginning of the link that opens a gap; the number of its first line ends it. Open gaps stay open.
    ///
    /// @param number the number of the file on the page
    String opening(int number) {
        var gaps = new TreeSet<>(open);
        String others = gaps.stream().map(Gap::toString).collect(Collectors.joining("-"));
        return here(link())
                .with("from", skip == 0 ? null : (Integer) skip)
                .with("open", (others.isEmpty() ? "" : others + "-") + number + ".")
                .toString();
    }

    /// Returns the first lines of the gaps of a file that are open.
    Set<Integer> opened(int number) {
        return open.stream().filter(gap -> gap.file() == number).map(Gap::first).collect(Collectors.toSet());
    }

    /// Returns whether a file of a page has a gap that is open.
    boolean opens(int number) {
        return open.stream().anyMatch(gap -> gap.file() == number);
    }

    /// Returns the neighbour of the only shown file; null if there is none.
    ///
    /// @param step 1 for the next, -1 for the one before
    public @Nullable String neighbour(VersionDiff diff, int step) {
        int at = position(diff) - 1 + step;
        return file.isEmpty() || at < 0 || at >= diff.changes().size()
                ? null
                : alone(diff.changes().get(at).logicalPath());
    }

    /// Returns the place of the only shown file among all, from 1 on.
    public int position(VersionDiff diff) {
        for (int i = 0; i < diff.changes().size(); i++) {
            if (diff.changes().get(i).logicalPath().equals(file)) {
                return i + 1;
            }
        }
        return 1;
    }
}
