package dev.sheaf.server.console.source;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// The languages that are highlighted.
public enum Language {
    PLAIN,
    MARKDOWN("md", "markdown", "mdx", "mdc"),
    YAML("yaml", "yml"),
    JSON("json", "jsonc", "json5", "jsonl", "excalidraw"),
    PYTHON("py", "pyi", "python"),
    SHELL("sh", "bash", "zsh", "shell", "console"),
    JAVASCRIPT("js", "mjs", "cjs", "jsx", "ts", "tsx", "mts", "cts", "javascript", "typescript"),
    JAVA("java"),
    TOML("toml"),
    XML("xml", "html", "htm", "svg", "xhtml", "drawio", "xsd", "xsl", "pom");

    private static final Map<String, Language> BY_NAME = new HashMap<>();

    static {
        for (var language : values()) {
            language.names.forEach(name -> BY_NAME.put(name, language));
        }
    }

    private static final List<String> SHELLS = List.of("/sh", "bash", "zsh", "dash", "env sh");

    private final Set<String> names;

    Language(String... names) {
        this.names = Set.copyOf(Arrays.asList(names));
    }

    /// Returns the language of a file, by its file extension or its first line.
    public static Language of(String path, String text) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        int dot = name.lastIndexOf('.');
        var known = named(name.substring(dot + 1));
        return known == PLAIN && text.startsWith("#!") ? ofScript(text) : known;
    }

    /// Returns the language with this name.
    static Language named(String name) {
        return name.length() > 12 ? PLAIN : BY_NAME.getOrDefault(name.toLowerCase(Locale.ROOT), PLAIN);
    }

    private static Language ofScript(String text) {
        int end = text.indexOf('\n');
        String first = text.substring(0, Math.min(end < 0 ? text.length() : end, 200));
        if (first.contains("python")) {
            return PYTHON;
        }
        return first.contains("node") ? JAVASCRIPT : SHELLS.stream().anyMatch(first::contains) ? SHELL : PLAIN;
    }
}
