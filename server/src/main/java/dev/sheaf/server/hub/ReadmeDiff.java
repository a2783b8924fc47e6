package dev.sheaf.server.hub;

import com.github.difflib.algorithm.Change;
import com.github.difflib.algorithm.myers.MyersDiffWithLinearSpace;
import dev.sheaf.engine.cpu.Budget;
import dev.sheaf.server.bundle.diff.DiffSteps;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Compares two texts as readers see them, by the blocks of their HTML: paragraphs, headings, lists, tables and so on.
/// Within a paragraph, a heading or an item of a list, the words that differ are marked. Only the text between the tags
/// of sanitized HTML is marked, so the result is as inert as its input. For one thread.
public final class ReadmeDiff {
    private static final int MAX_BLOCKS = 1_000; // of both texts
    private static final int MAX_ITEMS = 200; // of both lists
    private static final int MAX_TOKENS = 800; // of both blocks, in the part that differs
    private static final long SQUARES = 4_000_000; // sum of the squares of such numbers over a text
    private static final int ALIKE = 40; // minimum of common words in percent; below it both blocks are shown

    private static final Pattern TAG = Pattern.compile("<(/?)([a-z][a-z0-9]*)(?:[^<>\"]++|\"[^\"]*+\")*+>");
    private static final Pattern TOKEN =
            Pattern.compile("<(?:[^<>\"]++|\"[^\"]*+\")*+>|&[#A-Za-z0-9]+;|[\\p{L}\\p{N}]+|\\s+|.", Pattern.DOTALL);
    private static final Pattern TARGET = Pattern.compile("^<a [^>]*href=\"([^\"]*)\"");
    private static final Pattern BLANKS = Pattern.compile("[ \\t\\r\\n]+");
    private static final Set<String> VOID = Set.of("br", "hr");
    private static final Set<String> LISTS = Set.of("ul", "ol");
    private static final Set<String> PHRASES = Set.of(
            "em", "strong", "b", "i", "u", "s", "del", "ins", "sub", "sup", "kbd", "samp", "var", "q", "code", "a",
            "br");
    private static final String CAME = "<ins class=\"came\">";
    private static final String WENT = "<del class=\"went\">";

    private final Budget budget;
    private long squares = SQUARES;

    private ReadmeDiff(Budget budget) {
        this.budget = budget;
    }

    /// How a block differs.
    public enum Kind {
        SAME,
        ADDED,
        REMOVED,
        CHANGED
    }

    /// A block, or a run of blocks that are the same.
    ///
    /// @param count the number of blocks that are the same and not shown
    /// @param html the block; of blocks that are the same, the last if it is a heading, else nothing
    public record Block(Kind kind, int count, SafeHtml html) {}

    /// Compares two texts.
    ///
    /// @param before the HTML of [ReadmeHtml#file]
    /// @return empty if they have too many blocks
    /// @throws dev.sheaf.engine.cpu.OverBudgetException if it takes too long
    public static Optional<List<Block>> between(SafeHtml before, SafeHtml after, Budget budget) {
        var old = split(text(before));
        var now = split(text(after));
        if (old.size() + now.size() > MAX_BLOCKS) {
            return Optional.empty();
        }
        var diff = new ReadmeDiff(budget);
        var pieces = new ArrayList<Piece>();
        diff.compare(old, now, (kind, html) -> pieces.add(new Piece(kind, html)));
        return Optional.of(folded(pieces));
    }

    private record Piece(Kind kind, String html) {}

    private static String text(SafeHtml html) {
        return new String(html.bytes(), StandardCharsets.UTF_8);
    }

    private static SafeHtml safe(String html) {
        return new SafeHtml(html.getBytes(StandardCharsets.UTF_8));
    }

    /// Folds blocks that are the same; a heading before a change stays, which tells where the change is.
    private static List<Block> folded(List<Piece> pieces) {
        var folded = new ArrayList<Block>();
        int same = 0;
        for (int i = 0; i < pieces.size(); i++) {
            var piece = pieces.get(i);
            if (piece.kind != Kind.SAME) {
                folded.add(new Block(piece.kind, 0, safe(piece.html)));
                continue;
            }
            same++;
            boolean isLast = i + 1 == pieces.size() || pieces.get(i + 1).kind != Kind.SAME;
            if (isLast) {
                boolean isShown = i + 1 < pieces.size() && name(piece.html).matches("h[1-6]");
                folded.add(new Block(Kind.SAME, isShown ? same - 1 : same, safe(isShown ? piece.html : "")));
                same = 0;
            }
        }
        return folded;
    }

    /// Splits sanitized HTML, in which each element is closed, into its outermost elements. Text between them is a
    /// block too.
    private static List<String> split(String html) {
        var blocks = new ArrayList<String>();
        var tags = TAG.matcher(html);
        int depth = 0;
        int from = 0;
        while (tags.find()) {
            if (VOID.contains(tags.group(2)) || PHRASES.contains(tags.group(2))) {
                continue;
            }
            if (tags.group(1).isEmpty()) {
                if (depth++ == 0) {
                    add(blocks, html.substring(from, tags.start()));
                    from = tags.start();
                }
            } else if (--depth == 0) {
                add(blocks, html.substring(from, tags.end()));
                from = tags.end();
            }
        }
        add(blocks, html.substring(from));
        return blocks;
    }

    /// Adds a block. Outside of code, a browser shows any white space as one blank.
    private static void add(List<String> blocks, String html) {
        if (!html.isBlank()) {
            blocks.add(
                    html.contains("<pre")
                            ? html.strip()
                            : BLANKS.matcher(html.strip()).replaceAll(" "));
        }
    }

    private interface Receiver {
        void take(Kind kind, String html);
    }

    private void compare(List<String> old, List<String> now, Receiver receiver) {
        int at = 0;
        for (Change change : changes(old, now)) {
            now.subList(at, change.startRevised).forEach(html -> receiver.take(Kind.SAME, html));
            replaced(
                    old.subList(change.startOriginal, change.endOriginal),
                    now.subList(change.startRevised, change.endRevised),
                    receiver);
            at = change.endRevised;
        }
        now.subList(at, now.size()).forEach(html -> receiver.take(Kind.SAME, html));
    }

    /// Returns the changes in their order, with adjacent ones merged: the library reports removals and additions apart.
    private List<Change> changes(List<String> old, List<String> now) {
        var merged = new ArrayList<Change>();
        for (Change change : new MyersDiffWithLinearSpace<String>().computeDiff(old, now, new DiffSteps(budget))) {
            Change last = merged.isEmpty() ? null : merged.getLast();
            if (last != null && last.endOriginal == change.startOriginal && last.endRevised == change.startRevised) {
                merged.removeLast();
                merged.add(both(last, change));
            } else {
                merged.add(change);
            }
        }
        return merged;
    }

    /// Pairs removed blocks with the added ones at the same place.
    private void replaced(List<String> gone, List<String> came, Receiver receiver) {
        for (int i = 0; i < Math.max(gone.size(), came.size()); i++) {
            String old = i < gone.size() ? gone.get(i) : "";
            String now = i < came.size() ? came.get(i) : "";
            var marked = old.isEmpty() || now.isEmpty() ? Optional.<String>empty() : marked(old, now);
            if (marked.isPresent()) {
                receiver.take(Kind.CHANGED, marked.get());
                continue;
            }
            if (!old.isEmpty()) {
                receiver.take(Kind.REMOVED, old);
            }
            if (!now.isEmpty()) {
                receiver.take(Kind.ADDED, now);
            }
        }
    }

    /// Returns the new block with what differs marked; empty if the two are too different, or of different kinds.
    private Optional<String> marked(String old, String now) {
        budget.check();
        String name = name(old);
        if (name.isEmpty() || !name.equals(name(now))) {
            return Optional.empty();
        }
        if (LISTS.contains(name)) {
            return items(old, now);
        }
        return isPhrase(old) && isPhrase(now) ? words(tokens(old), tokens(now)) : Optional.empty();
    }

    private static String name(String block) {
        var tag = TAG.matcher(block);
        return tag.lookingAt() ? tag.group(2) : "";
    }

    /// Returns whether a block has only text and marks inside, and no other block.
    private static boolean isPhrase(String block) {
        var tags = TAG.matcher(block);
        String outer = name(block);
        boolean isPhrase = true;
        while (isPhrase && tags.find()) {
            isPhrase = PHRASES.contains(tags.group(2))
                    || tags.group(2).equals(outer) && (tags.start() == 0 || tags.end() == block.length());
        }
        return isPhrase;
    }

    private Optional<String> items(String old, String now) {
        int from = now.indexOf('>') + 1;
        int to = now.lastIndexOf('<');
        var gone = split(old.substring(old.indexOf('>') + 1, old.lastIndexOf('<')));
        var came = split(now.substring(from, to));
        if (gone.size() + came.size() > MAX_ITEMS || from > to) {
            return Optional.empty();
        }
        var list = new StringBuilder(now.substring(0, from));
        compare(
                gone,
                came,
                (kind, item) -> list.append(
                        switch (kind) {
                            case SAME, CHANGED -> item;
                            case ADDED -> inside(item, CAME, "</ins>");
                            case REMOVED -> inside(item, WENT, "</del>");
                        }));
        return Optional.of(list.append(now.substring(to)).toString());
    }

    private static String inside(String item, String open, String close) {
        int from = item.indexOf('>') + 1;
        int to = item.lastIndexOf('<');
        return from == 0 || to < from
                ? open + item + close
                : item.substring(0, from) + open + item.substring(from, to) + close + item.substring(to);
    }

    // --- words ---

    private static List<String> tokens(String block) {
        return TOKEN.matcher(block)
                .results()
                .map(result -> result.group())
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static boolean isTag(String token) {
        return token.length() > 1 && token.charAt(0) == '<';
    }

    /// Marks the words that differ. Tags are those of the new block; tags of the old one are left out.
    private Optional<String> words(List<String> old, List<String> now) {
        int start = 0;
        int least = Math.min(old.size(), now.size());
        while (start < least && old.get(start).equals(now.get(start))) {
            start++;
        }
        int end = 0;
        while (end < least - start && old.get(old.size() - 1 - end).equals(now.get(now.size() - 1 - end))) {
            end++;
        }
        long differing = (long) old.size() + now.size() - 2L * (start + end);
        if (differing > MAX_TOKENS || differing * differing > squares) {
            return Optional.empty();
        }
        squares -= differing * differing;
        var changes = joined(
                changes(old.subList(start, old.size() - end), now.subList(start, now.size() - end)),
                now.subList(start, now.size() - end));
        if (!isAlike(old, now, changes, start)) {
            return Optional.empty();
        }
        var html = new StringBuilder();
        int at = 0;
        for (Change change : changes) {
            now.subList(at, start + change.startRevised).forEach(html::append);
            mark(html, old.subList(start + change.startOriginal, start + change.endOriginal), WENT, "</del>", false);
            mark(html, now.subList(start + change.startRevised, start + change.endRevised), CAME, "</ins>", true);
            at = start + change.endRevised;
        }
        now.subList(at, now.size()).forEach(html::append);
        return Optional.of(html.toString());
    }

    /// Joins changes between which there are only blanks, so that words that changed together stand together.
    private static List<Change> joined(List<Change> changes, List<String> now) {
        var joined = new ArrayList<Change>();
        for (Change change : changes) {
            Change last = joined.isEmpty() ? null : joined.getLast();
            if (last != null
                    && now.subList(last.endRevised, change.startRevised).stream()
                            .allMatch(String::isBlank)) {
                joined.removeLast();
                joined.add(both(last, change));
            } else {
                joined.add(change);
            }
        }
        return joined;
    }

    private static Change both(Change first, Change second) {
        return new Change(
                first.deltaType, first.startOriginal, second.endOriginal, first.startRevised, second.endRevised);
    }

    private static boolean isAlike(List<String> old, List<String> now, List<Change> changes, int start) {
        int gone = 0;
        int came = 0;
        for (Change change : changes) {
            gone += length(old.subList(start + change.startOriginal, start + change.endOriginal));
            came += length(now.subList(start + change.startRevised, start + change.endRevised));
        }
        int all = length(old) + length(now);
        return 100L * (all - gone - came) >= (long) ALIKE * all;
    }

    private static int length(List<String> tokens) {
        return tokens.stream()
                .filter(token -> !isTag(token) && !token.isBlank())
                .mapToInt(String::length)
                .sum();
    }

    /// Writes tokens with runs of text in a mark.
    ///
    /// @param withTags whether to write the tags between them
    private static void mark(StringBuilder html, List<String> tokens, String open, String close, boolean withTags) {
        boolean isOpen = false;
        for (String token : tokens) {
            boolean isText = !isTag(token);
            if (isText && !isOpen) {
                html.append(open);
            } else if (!isText && isOpen && withTags) {
                html.append(close);
            }
            isOpen = isText || isOpen && !withTags;
            if (isText || withTags) {
                html.append(token);
            }
            var target = TARGET.matcher(token);
            if (!isText && target.find()) { // a link that shows the same may lead elsewhere
                html.append(isOpen ? "" : open)
                        .append('(')
                        .append(target.group(1))
                        .append(") ")
                        .append(isOpen ? "" : close);
            }
        }
        if (isOpen) {
            html.append(close);
        }
    }
}
