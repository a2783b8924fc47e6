package dev.sheaf.model.passport;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the name of a file says about it.
///
/// @param interpreter the program that runs it; null if it is no script by its name
/// @param isData whether its text is data for a program, such as a drawing or a page
/// @param isPicture whether it is a format that agents do not read as text: pictures, fonts, documents, models
/// @param isDocument whether it is such a format that people and agents open with a program that reads its text
/// @param isBare whether the name has no ending and small letters, as programs have, unlike `LICENSE`
record FileKind(
        @Nullable String interpreter,
        boolean isMarkdown,
        boolean isData,
        boolean isPicture,
        boolean isDocument,
        boolean isBare) {
    private static final Map<String, String> INTERPRETERS = Map.ofEntries(
            Map.entry("sh", "sh"),
            Map.entry("bash", "bash"),
            Map.entry("zsh", "zsh"),
            Map.entry("ksh", "ksh"),
            Map.entry("fish", "fish"),
            Map.entry("ps1", "PowerShell"),
            Map.entry("psm1", "PowerShell"),
            Map.entry("bat", "cmd"),
            Map.entry("cmd", "cmd"),
            Map.entry("vbs", "cscript"),
            Map.entry("py", "Python"),
            Map.entry("pyw", "Python"),
            Map.entry("rb", "Ruby"),
            Map.entry("pl", "Perl"),
            Map.entry("php", "PHP"),
            Map.entry("lua", "Lua"),
            Map.entry("r", "R"),
            Map.entry("jl", "Julia"),
            Map.entry("awk", "awk"),
            Map.entry("applescript", "osascript"),
            Map.entry("scpt", "osascript"),
            Map.entry("tcl", "Tcl"),
            Map.entry("groovy", "Groovy"));

    /// Sources that are scripts only in a folder for scripts; elsewhere they are usually examples.
    private static final Map<String, String> IN_FOLDERS = Map.of(
            "js", "Node", "mjs", "Node", "cjs", "Node", "ts", "TypeScript", "mts", "TypeScript", "cts", "TypeScript");

    private static final Set<String> FOLDERS = Set.of("scripts", "script", "bin", "hooks", "tools");
    private static final Set<String> MARKDOWN = Set.of("md", "mdx", "mdc", "markdown", "txt", "rst", "");
    private static final Set<String> DATA = Set.of(
            "html",
            "htm",
            "xml",
            "xsd",
            "xsl",
            "svg",
            "css",
            "csv",
            "tsv",
            "drawio",
            "excalidraw",
            "excalidrawlib",
            "rels",
            "lock",
            "map",
            "geojson",
            "ipynb",
            "po",
            "tex",
            "bib");
    private static final Set<String> PICTURES = Set.of(
            "png",
            "jpg",
            "jpeg",
            "gif",
            "webp",
            "ico",
            "bmp",
            "tif",
            "tiff",
            "avif",
            "heic",
            "woff",
            "woff2",
            "ttf",
            "otf",
            "eot",
            "mp3",
            "mp4",
            "mov",
            "webm",
            "wav",
            "ogg",
            "flac",
            "parquet",
            "npy",
            "npz",
            "onnx",
            "safetensors",
            "gguf",
            "tflite");

    private static final Set<String> DOCUMENTS = Set.of(
            "pdf", "doc", "xls", "ppt", "rtf", "docx", "dotx", "xlsx", "xltx", "pptx", "potx", "vsdx", "odt", "ott",
            "ods", "odp", "odg", "epub", "xmind", "sqlite", "sqlite3", "db");

    /// Returns whether it is a document, whatever its mode.
    boolean isText() {
        return isMarkdown && !isBare || isData;
    }

    static FileKind of(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        String ending = ending(name);
        String interpreter = INTERPRETERS.get(ending);
        if (interpreter == null && isInFolder(path)) {
            interpreter = IN_FOLDERS.get(ending);
        }
        return new FileKind(
                interpreter,
                MARKDOWN.contains(ending),
                DATA.contains(ending) || name.startsWith(".") && name.endsWith("ignore"),
                PICTURES.contains(ending) || DOCUMENTS.contains(ending),
                DOCUMENTS.contains(ending),
                name.indexOf('.') < 0 && !name.equals(name.toUpperCase(Locale.ROOT)));
    }

    private static String ending(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
    }

    private static boolean isInFolder(String path) {
        String[] segments = path.split("/", -1);
        for (int i = 0; i < segments.length - 1; i++) {
            if (FOLDERS.contains(segments[i])) {
                return true;
            }
        }
        return false;
    }
}
