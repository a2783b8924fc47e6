package dev.sheaf.client.bundle;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A pattern for paths in the grammar of gitignore(5): `*` and `?` match within a folder, `**` across folders,
/// and `[a-z]` matches one of these characters. A pattern with a `/` at its start or in the middle is relative
/// to the root; other patterns match in any folder. A pattern with a `/` at its end matches only folders.
/// Everything below a match also matches.
///
/// Patterns may come from untrusted folders, so matching must never be slow. It follows all possible steps at
/// the same time and takes time proportional to the product of both lengths.
final class Glob {
    /// The longest path of an asset.
    static final int LONGEST = 500;

    /// A step of a pattern.
    private sealed interface Step {
        /// Matches one of these characters, or with `not` any other character except `/`.
        record One(int[] ranges, boolean not) implements Step {
            static One of(int character) {
                return new One(new int[] {character, character}, false);
            }

            boolean takes(int c) {
                for (int i = 0; i < ranges.length; i += 2) {
                    if (c >= ranges[i] && c <= ranges[i + 1]) {
                        return !not;
                    }
                }
                return not && c != '/';
            }
        }

        /// Matches any number of characters, with `/` only if `folders` is set.
        record Many(boolean folders) implements Step {}

        /// Matches nothing, or one or more folders with the `/` after them.
        record Folders() implements Step {}
    }

    private static final Step.One ANY_NAME = new Step.One(new int[] {'/', '/'}, true);

    private final String text;
    private final boolean folder;
    private final List<Step> steps = new ArrayList<>();

    private Glob(String text) {
        this.text = text;
        this.folder = text.endsWith("/");
        String glob = folder ? text.substring(0, text.length() - 1) : text;
        if (glob.indexOf('/') < 0) {
            steps.add(new Step.Folders());
        }
        int[] characters = glob.codePoints().toArray();
        for (int i = glob.startsWith("/") ? 1 : 0; i < characters.length; i++) {
            i = append(characters, i);
        }
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed if it is too long, or a range in brackets is
    /// empty: `[z-a]`
    static Glob of(String text) {
        if (text.length() > LONGEST) {
            throw Problem.invalid(
                    "range", "the pattern " + Quoted.of(text) + " is longer than " + LONGEST + " characters");
        }
        return new Glob(text);
    }

    /// Appends the step that begins at `i`; returns the position after it.
    private int append(int[] glob, int i) {
        int next = i + 1 < glob.length ? glob[i + 1] : -1;
        if (glob[i] == '*' && next == '*') {
            boolean folders = i + 2 < glob.length && glob[i + 2] == '/';
            steps.add(folders ? new Step.Folders() : new Step.Many(true));
            return folders ? i + 2 : i + 1;
        }
        int end = glob[i] == '[' ? closing(glob, i + 2) : -1;
        if (end > 0) {
            steps.add(set(Arrays.copyOfRange(glob, i + 1, end)));
            return end;
        }
        switch (glob[i]) {
            case '*' -> steps.add(new Step.Many(false));
            case '?' -> steps.add(ANY_NAME);
            default -> {
                boolean escaped = glob[i] == '\\' && next >= 0;
                steps.add(Step.One.of(escaped ? next : glob[i]));
                return escaped ? i + 1 : i;
            }
        }
        return i;
    }

    private static int closing(int[] glob, int from) {
        for (int i = from; i < glob.length; i++) {
            if (glob[i] == ']') {
                return i;
            }
        }
        return -1;
    }

    /// Parses the inside of brackets: characters and ranges. A leading `!` or `^` means all others.
    private Step set(int[] inside) {
        boolean not = inside[0] == '!' || inside[0] == '^';
        var ranges = new ArrayList<Integer>();
        for (int i = not ? 1 : 0; i < inside.length; i++) {
            boolean range = i + 2 < inside.length && inside[i + 1] == '-';
            int last = range ? inside[i + 2] : inside[i];
            if (last < inside[i]) {
                throw meaningless();
            }
            addWithoutSlash(ranges, inside[i], last);
            i += range ? 2 : 0;
        }
        if (not && inside.length == 1) {
            throw meaningless();
        }
        return new Step.One(ranges.stream().mapToInt(Integer::intValue).toArray(), not);
    }

    private static void addWithoutSlash(List<Integer> ranges, int first, int last) {
        if (first <= '/' && last >= '/') {
            ranges.addAll(List.of(first, '/' - 1, '/' + 1, last));
        } else {
            ranges.addAll(List.of(first, last));
        }
    }

    private RuntimeException meaningless() {
        return Problem.invalid("format", "the pattern " + Quoted.of(text) + " has invalid brackets");
    }

    /// Returns whether the pattern matches the path of a file, with `/` between its segments.
    boolean matches(String path) {
        var here = new Places(steps);
        var after = new Places(steps);
        here.add(0);
        int[] characters = path.codePoints().toArray();
        for (int c : characters) {
            here.skip();
            if (c == '/' && here.holdsEnd()) {
                return true; // everything below
            }
            here.read(c, after);
            var read = here;
            here = after;
            after = read;
            after.clear();
        }
        here.skip();
        return !folder && here.holdsEnd();
    }

    /// The possible next steps after a prefix of the path. `begun` marks a [Step.Folders] that has already
    /// matched characters.
    private static final class Places {
        private final List<Step> steps;
        private final boolean[] next;
        private final boolean[] begun;

        Places(List<Step> steps) {
            this.steps = steps;
            this.next = new boolean[steps.size() + 1];
            this.begun = new boolean[steps.size() + 1];
        }

        void add(int place) {
            next[place] = true;
        }

        void clear() {
            Arrays.fill(next, false);
            Arrays.fill(begun, false);
        }

        boolean holdsEnd() {
            return next[steps.size()];
        }

        /// Adds each step whose previous step may match nothing.
        void skip() {
            for (int i = 0; i < steps.size(); i++) {
                if (next[i] && !(steps.get(i) instanceof Step.One)) {
                    next[i + 1] = true;
                }
            }
        }

        void read(int c, Places after) {
            for (int i = 0; i < steps.size(); i++) {
                if (!next[i] && !begun[i]) {
                    continue;
                }
                switch (steps.get(i)) {
                    case Step.One one -> after.next[i + 1] |= one.takes(c);
                    case Step.Many many -> after.next[i] |= many.folders() || c != '/';
                    case Step.Folders folders -> {
                        after.begun[i] = true;
                        after.next[i + 1] |= c == '/';
                    }
                }
            }
        }
    }
}
