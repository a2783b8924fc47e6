package dev.sheaf.server.bundle.review;

import dev.sheaf.model.Problem;
import dev.sheaf.model.text.Quoted;
import java.util.List;

/// A pattern of paths: `*` stands for any characters but `/`, `?` for one, and a part `**` for any number
/// of parts.
record PathGlob(String text) {
    static final int LONGEST = 200;
    private static final int MOST_STARS = 10;
    private static final String PARTS = "**";

    /// @throws dev.sheaf.model.ProblemException validation-failed
    static String parse(String text) {
        var parts = List.of(text.split("/", -1));
        boolean isPath = parts.stream()
                .noneMatch(part -> part.isEmpty()
                        || part.equals(".")
                        || part.equals("..")
                        || (part.contains(PARTS) && !part.equals(PARTS)));
        boolean isPlain = text.chars().noneMatch(each -> Character.isISOControl(each) || each == '\\');
        long stars = text.chars().filter(each -> each == '*').count();
        if (!isPath || !isPlain || text.length() > LONGEST || stars > MOST_STARS) {
            throw Problem.invalid(
                    "format",
                    Quoted.of(text) + " must be a pattern of paths such as docs/**/*.md, with at most " + LONGEST
                            + " characters and " + MOST_STARS + " stars");
        }
        return text;
    }

    /// Returns whether a path has the form.
    boolean matches(String path) {
        return matches(List.of(text.split("/", -1)), List.of(path.split("/", -1)));
    }

    /// Goes back only to the last `**`, which is enough, so that the time stays the product of the lengths.
    private static boolean matches(List<String> glob, List<String> path) {
        int at = 0;
        int back = -1;
        int taken = 0;
        int i = 0;
        while (i < path.size()) {
            if (at < glob.size() && glob.get(at).equals(PARTS)) {
                back = at++;
                taken = i;
            } else if (at < glob.size() && isPart(glob.get(at), path.get(i))) {
                at++;
                i++;
            } else if (back >= 0) {
                at = back + 1;
                i = ++taken;
            } else {
                return false;
            }
        }
        while (at < glob.size() && glob.get(at).equals(PARTS)) {
            at++;
        }
        return at == glob.size();
    }

    private static boolean isPart(String glob, String part) {
        int at = 0;
        int back = -1;
        int taken = 0;
        int i = 0;
        while (i < part.length()) {
            if (at < glob.length() && glob.charAt(at) == '*') {
                back = at++;
                taken = i;
            } else if (at < glob.length() && (glob.charAt(at) == '?' || glob.charAt(at) == part.charAt(i))) {
                at++;
                i++;
            } else if (back >= 0) {
                at = back + 1;
                i = ++taken;
            } else {
                return false;
            }
        }
        while (at < glob.length() && glob.charAt(at) == '*') {
            at++;
        }
        return at == glob.length();
    }
}
