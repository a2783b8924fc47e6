package dev.sheaf.server.bundle.check;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.archive.ProgramFormat;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Detects the format of content by its first bytes, and compares it with the declared type.
final class ContentSniffer {
    private static final Map<String, String> SIGNATURES = Map.of(
            "image/png", "\u0089PNG\r\n\u001A\n",
            "image/jpeg", "\u00FF\u00D8\u00FF",
            "image/gif", "GIF8",
            "application/pdf", "%PDF-",
            "application/zip", "PK",
            "application/gzip", "\u001F\u008B\b");
    private static final Map<String, String> ALIASES = Map.of(
            "image/jpg", "image/jpeg",
            "application/x-gzip", "application/gzip",
            "application/x-zip-compressed", "application/zip");

    private static final Set<String> PLAIN = Set.of(
            "md", "markdown", "txt", "text", "json", "yaml", "yml", "toml", "csv", "xml", "html", "css", "ini", "conf");
    private static final Set<String> DATA_TYPES = Set.of(
            "text/markdown",
            "text/csv",
            "text/html",
            "text/css",
            "application/json",
            "application/yaml",
            "application/toml",
            "application/xml");

    private ContentSniffer() {}

    /// Returns whether the content begins like a format that is not text.
    static boolean isKnown(byte[] bytes) {
        return format(bytes).isPresent() || ProgramFormat.of(bytes).isPresent();
    }

    static boolean isText(String mediaType) {
        return mediaType.startsWith("text/")
                || DATA_TYPES.contains(mediaType)
                || mediaType.equals("application/sql")
                || mediaType.equals("image/svg+xml")
                || isJson(mediaType);
    }

    static boolean isJson(String mediaType) {
        return mediaType.equals("application/json") || mediaType.endsWith("+json");
    }

    static void check(LogicalPath path, String mediaType, byte[] bytes, ContentChecks.Findings findings) {
        ProgramFormat.of(bytes).ifPresent(what -> findings.add("executable", "is " + what));
        if (startsWith(bytes, "#!") && (PLAIN.contains(ending(path)) || DATA_TYPES.contains(mediaType))) {
            findings.add("executable", "begins with #! but is declared as " + mediaType + "; is it a script?");
        }
        mismatch(mediaType, bytes).ifPresent(detail -> findings.add("media-type-mismatch", detail));
    }

    private static Optional<String> mismatch(String mediaType, byte[] bytes) {
        String declared = expected(mediaType);
        String signature = SIGNATURES.get(declared);
        if (signature != null && !startsWith(bytes, signature)) {
            return Optional.of("is declared as " + mediaType + " but does not begin like one"
                    + format(bytes).map(format -> "; it begins like " + format).orElse(""));
        }
        return signature == null && isText(mediaType)
                ? format(bytes).map(format -> "is declared as " + mediaType + " but begins like " + format)
                : Optional.empty();
    }

    private static String expected(String mediaType) {
        if (mediaType.endsWith("+gzip")) {
            return "application/gzip";
        }
        return mediaType.endsWith("+zip") ? "application/zip" : ALIASES.getOrDefault(mediaType, mediaType);
    }

    private static Optional<String> format(byte[] bytes) {
        return SIGNATURES.entrySet().stream()
                .filter(known -> startsWith(bytes, known.getValue()) && !isShort(known.getValue(), bytes))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /// Returns whether a two-letter signature is a coincidence: a zip file continues with a record number.
    private static boolean isShort(String signature, byte[] bytes) {
        return signature.equals("PK") && (bytes.length < 4 || bytes[2] > 8 || bytes[3] > 8);
    }

    private static boolean startsWith(byte[] bytes, String signature) {
        byte[] start = signature.getBytes(StandardCharsets.ISO_8859_1);
        return bytes.length >= start.length && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
    }

    private static String ending(LogicalPath path) {
        String name = path.fileName();
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }
}
