package dev.sheaf.server.bundle.pages.compare;

import dev.sheaf.server.bundle.pages.source.MarkedText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The lines of a file that a page shows although they are the same in both versions.
///
/// @param text the whole file, so that a secret of several lines is found
/// @param starts the position of each line
/// @param firsts the numbers of the first lines of the gaps that are open
record OpenedGaps(MarkedText text, List<Integer> starts, Set<Integer> firsts) {
    static final OpenedGaps NONE = new OpenedGaps(MarkedText.of(""), List.of(), Set.of());

    OpenedGaps {
        starts = List.copyOf(starts);
        firsts = Set.copyOf(firsts);
    }

    static OpenedGaps of(String file, Set<Integer> firsts) {
        var starts = new ArrayList<Integer>();
        for (int at = 0; at >= 0 && at < file.length(); ) {
            starts.add(at);
            int end = file.indexOf('\n', at);
            at = end < 0 ? -1 : end + 1;
        }
        return new OpenedGaps(MarkedText.of(file), starts, firsts);
    }

    /// @param first the number of the first line of a gap
    /// @param count its number of lines
    boolean contains(int first, int count) {
        return firsts.contains(first) && first >= 1 && first + count - 1 <= starts.size();
    }

    /// @param line the number of a line
    int start(int line) {
        return starts.get(line - 1);
    }

    /// Returns the position at which a line ends.
    int end(int line) {
        String all = text.text();
        int next = line < starts.size() ? starts.get(line) : all.length();
        int end = next > start(line) && all.charAt(next - 1) == '\n' ? next - 1 : next;
        return end > start(line) && all.charAt(end - 1) == '\r' ? end - 1 : end;
    }
}
