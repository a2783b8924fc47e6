package dev.sheaf.model.skill;

import dev.sheaf.model.PathRules;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// Decides which files of a skill an agent program may load or run by itself, without a request to the agent. Client
/// and registry share it. It is a list of what is harmless: ordinary names, and settings only in the folders for
/// content. The lists of names narrow it further. Names are compared as file systems may read them, see
/// [PathRules#plain].
public final class AutomaticFiles {
    /// The number of bytes of a file that [#isArchive] needs.
    public static final int BEGINNING = 512;

    /// Folders of a skill whose files the agent reads or runs on request only. Files with settings are content there.
    private static final Set<String> CONTENT = Set.of(
            "scripts",
            "references",
            "reference",
            "assets",
            "resources",
            "examples",
            "templates",
            "data",
            "schemas",
            "tests",
            "evals",
            "evaluations");

    /// Formats in which programs keep settings and manifests.
    private static final Set<String> SETTINGS = Set.of(
            "json",
            "jsonc",
            "json5",
            "yaml",
            "yml",
            "toml",
            "ini",
            "cfg",
            "conf",
            "config",
            "properties",
            "plist",
            "xml",
            "reg",
            "code-workspace");

    /// Hidden files that no agent program runs.
    private static final Set<String> HARMLESS =
            Set.of(".gitignore", ".gitkeep", ".keep", ".editorconfig", ".dockerignore", ".env.example");

    /// Files and folders that agent programs look for, at any depth.
    private static final Set<String> OF_PROGRAMS = Set.of(
            "hooks",
            "hooks.json",
            "plugin.json",
            "marketplace.json",
            "mcp.json",
            "mcp_config.json",
            "mcp-config.json",
            "cline_mcp_settings.json",
            "claude_desktop_config.json",
            "lsp.json",
            "monitors.json",
            "gemini-extension.json",
            "qwen-extension.json",
            "opencode.json",
            "opencode.jsonc",
            "settings.json",
            "settings.local.json",
            "tasks.json",
            "launch.json",
            "devcontainer.json",
            "openai.yaml",
            "openai.yml",
            "agents.md",
            "agents.override.md",
            "agent.md",
            "claude.md",
            "claude.local.md",
            "gemini.md",
            "qwen.md",
            "copilot-instructions.md",
            "autorun.inf",
            "desktop.ini");

    private static final Set<String> ARCHIVES = Set.of(
            "zip", "tar", "tgz", "tbz", "tbz2", "txz", "tzst", "gz", "bz2", "xz", "zst", "lz", "lz4", "lzma", "z", "7z",
            "rar", "jar", "war", "whl", "egg", "crate", "gem", "deb", "rpm", "apk", "dmg", "iso", "img", "pkg", "cab",
            "msi", "cpio", "ar", "xpi", "crx", "vsix", "nupkg", "mcpb", "dxt", "skill", "plugin", "phar", "asar");

    /// Files that stand for another file.
    private static final Set<String> LINKS = Set.of("lnk", "url", "desktop", "webloc", "pif", "scf", "library-ms");

    /// Documents that are zip archives by their format.
    private static final Set<String> DOCUMENTS = Set.of(
            "docx", "dotx", "xlsx", "xltx", "pptx", "potx", "vsdx", "odt", "ott", "ods", "odp", "odg", "epub", "xmind");

    private static final List<byte[]> MAGIC = List.of(
            latin("PK\3\4"),
            latin("PK\5\6"),
            latin("PK\7\b"),
            latin("\u001F\u008B"),
            latin("BZh"),
            latin("\u00FD7zXZ\0"),
            latin("\u0028\u00B5\u002F\u00FD"),
            latin("7z\u00BC\u00AF\u0027\u001C"),
            latin("Rar!\u001A\u0007"),
            latin("LZIP"),
            latin("\u0004\"M\u0018"),
            latin("\u001F\u009D"),
            latin("MSCF"),
            latin("!<arch>\n"),
            latin("070701"));
    private static final byte[] TAR = latin("ustar");
    private static final int TAR_AT = 257;

    /// A short name of Windows, which can stand for any name.
    private static final Pattern SHORT = Pattern.compile("~[0-9]");

    private AutomaticFiles() {}

    /// Returns why an agent program may load or run a file of a skill by itself; empty for content. The text completes
    /// a sentence that begins with the path.
    ///
    /// @param inside the path in the skill
    public static Optional<String> why(String inside) {
        String[] segments = inside.split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            String plain = PathRules.plain(segments[i]);
            boolean isFile = i == segments.length - 1;
            if (plain.isEmpty() || plain.startsWith(".") && !(isFile && HARMLESS.contains(plain))) {
                return Optional.of("is hidden, where programs keep what they load by themselves");
            }
            if (OF_PROGRAMS.contains(plain)) {
                return Optional.of("has a name that programs look for");
            }
            if (SHORT.matcher(plain).find()) {
                return Optional.of("has a name that can stand for another one on Windows");
            }
        }
        String extension = extension(segments[segments.length - 1]);
        if (ARCHIVES.contains(extension)) {
            return Optional.of("is an archive, whose content is not checked");
        }
        if (LINKS.contains(extension)) {
            return Optional.of("is a link to something else");
        }
        boolean isContent = segments.length > 1 && CONTENT.contains(PathRules.plain(segments[0]));
        return SETTINGS.contains(extension) && !isContent
                ? Optional.of("may be settings of a program, outside of scripts, references and assets")
                : Optional.empty();
    }

    /// Returns whether a file is an archive by its content, although its name does not say so. Documents such as
    /// `.docx` are none.
    ///
    /// @param beginning the first [#BEGINNING] bytes
    public static boolean isArchive(String inside, byte[] beginning) {
        return !DOCUMENTS.contains(extension(inside))
                && (MAGIC.stream().anyMatch(magic -> startsWith(beginning, magic, 0))
                        || startsWith(beginning, TAR, TAR_AT));
    }

    /// Returns whether the name of a file is that of an archive, whatever its content is.
    public static boolean hasArchiveName(String path) {
        return ARCHIVES.contains(extension(path));
    }

    private static String extension(String path) {
        String plain = PathRules.plain(path.substring(path.lastIndexOf('/') + 1));
        return plain.substring(plain.lastIndexOf('.') + 1);
    }

    private static boolean startsWith(byte[] bytes, byte[] start, int at) {
        return bytes.length >= at + start.length && Arrays.equals(bytes, at, at + start.length, start, 0, start.length);
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
