package dev.sheaf.server.bundle.pages.source;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The languages of files, by the names that highlight.js knows. It takes the extension of a file as a name.
public final class SourceLanguage {
    private static final Set<String> MARKDOWN = Set.of("md", "markdown", "mdx", "mdc");
    private static final List<String> SHELLS = List.of("/sh", "bash", "zsh", "dash", "env sh");
    private static final int FIRST = 200; // characters of a first line that are read

    private SourceLanguage() {}

    /// Returns the name of a file's language, by its extension or its first line; empty if it has neither.
    public static String of(String path, String text) {
        if (isMarkdown(path)) {
            return "markdown";
        }
        String name = extension(path);
        return name.isEmpty() && text.startsWith("#!") ? ofScript(text) : name;
    }

    public static boolean isMarkdown(String path) {
        return MARKDOWN.contains(extension(path));
    }

    private static String extension(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return name.contains(".") && extension.matches("[a-z0-9+#-]{1,12}") ? extension : "";
    }

    private static String ofScript(String text) {
        int end = text.indexOf('\n');
        String first = text.substring(0, Math.min(end < 0 ? text.length() : end, FIRST));
        if (first.contains("python")) {
            return "python";
        }
        return first.contains("node") ? "javascript" : SHELLS.stream().anyMatch(first::contains) ? "bash" : "";
    }
}
