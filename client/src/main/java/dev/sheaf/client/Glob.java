package dev.sheaf.client;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Quoted;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// A pattern for paths in the grammar of gitignore(5): `*` and `?` stay within a folder, `**` does not, `[a-z]` is
/// one of these. With a `/` at its start or inside it counts from the top, else in any folder; with one at its end
/// it means a folder. What it means includes all that is below.
record Glob(Pattern pattern) {
    /// @throws dev.sheaf.model.ProblemException validation-failed where what stands in brackets is nothing: `[z-a]`
    static Glob of(String text) {
        String glob = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        boolean folder = glob.length() < text.length();
        boolean anchored = glob.indexOf('/') >= 0;
        var regex = new StringBuilder(anchored ? "" : "(?:.*/)?");
        for (int i = glob.startsWith("/") ? 1 : 0; i < glob.length(); i++) {
            i = append(glob, i, regex);
        }
        try {
            return new Glob(Pattern.compile(regex + (folder ? "/.*" : "(?:/.*)?"), Pattern.DOTALL));
        } catch (PatternSyntaxException e) {
            throw Problem.invalid("format", "the pattern " + Quoted.of(text) + " has brackets that mean nothing");
        }
    }

    /// Translates what begins at `i`; returns where it ends.
    private static int append(String glob, int i, StringBuilder regex) {
        char c = glob.charAt(i);
        if (glob.startsWith("**/", i)) {
            regex.append("(?:.*/)?");
            return i + 2;
        }
        if (glob.startsWith("**", i)) {
            regex.append(".*");
            return i + 1;
        }
        int end = c == '[' ? glob.indexOf(']', i + 2) : -1;
        if (end > 0) {
            String inside = glob.substring(i + 1, end)
                    .replace("\\", "\\\\")
                    .replace("[", "\\[")
                    .replace("&", "\\&");
            regex.append("(?!/)[")
                    .append(inside.startsWith("!") ? "^" + inside.substring(1) : inside)
                    .append(']');
            return end;
        }
        switch (c) {
            case '*' -> regex.append("[^/]*");
            case '?' -> regex.append("[^/]");
            default -> {
                boolean escaped = c == '\\' && i + 1 < glob.length();
                regex.append(Pattern.quote(String.valueOf(escaped ? glob.charAt(i + 1) : c)));
                return escaped ? i + 1 : i;
            }
        }
        return i;
    }

    /// Whether the path of a file, with `/` between its parts, is meant.
    boolean matches(String path) {
        return pattern.matcher(path).matches();
    }
}
