package dev.sheaf.model;

import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.text.Unicode;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The path of an asset in its bundle (contract 2). The constructor checks the rules that have always held:
/// relative, `/`-separated, NFC, at most 500 bytes of UTF-8 and 12 levels, without `..`. New content must also
/// obey [PathRules]. Only [#parse] checks them, so that content published under older rules stays readable.
///
/// Paths are ordered by their UTF-8 bytes, like the layers in a manifest.
public record LogicalPath(String value) implements Comparable<LogicalPath> {
    /// The limit for the length in UTF-8, in bytes.
    public static final int MAX_BYTES = 500;
    /// The limit for the number of names in a path.
    public static final int MAX_LEVELS = 12;
    private static final Pattern WINDOWS_DEVICE =
            Pattern.compile("(?:con|prn|aux|nul|conin\\$|conout\\$|(?:com|lpt)[0-9¹²³])(?: *\\..*| *)");

    /// Wraps a path that is already stored or is only looked up.
    ///
    /// @throws ProblemException validation-failed, naming the rule that `value` breaks
    public LogicalPath {
        if (value.isEmpty()) {
            throw invalid(value, "is empty; write one such as docs/a.md");
        }
        for (int i = 0; i < value.length(); i++) {
            checkCharacter(value, value.charAt(i));
        }
        if (!Unicode.isWellFormed(value)) {
            throw invalid(value, "contains half of a surrogate pair, which is not valid Unicode");
        }
        if (value.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw invalid(value, "is longer than " + MAX_BYTES + " bytes of UTF-8");
        }
        if (!Unicode.normalize(value, Normalizer.Form.NFC).equals(value)) {
            throw invalid(value, "is not in Unicode normal form C; normalize it to NFC");
        }
        String[] segments = value.split("/", -1);
        if (segments.length > MAX_LEVELS) {
            throw invalid(value, "has " + segments.length + " levels; at most " + MAX_LEVELS);
        }
        for (String segment : segments) {
            checkSegment(value, segment);
        }
    }

    /// Reads a path from storage.
    ///
    /// @throws ProblemException those of the constructor
    public static LogicalPath ofStored(String text) {
        return new LogicalPath(text);
    }

    /// Parses the path of new content.
    ///
    /// @throws ProblemException validation-failed, naming the rule that `text` breaks
    public static LogicalPath parse(String text) {
        var path = new LogicalPath(text);
        PathRules.ofNew(path).stream().findFirst().ifPresent(violation -> {
            throw invalid(text, violation.rule());
        });
        return path;
    }

    private static void checkCharacter(String path, char c) {
        if (Character.isISOControl(c)) {
            throw invalid(path, "contains a control character; remove it");
        }
        if (c == '\\' || c == '?' || c == '#' || c == '%') {
            throw invalid(path, "contains \"" + c + "\"; the characters \\ ? # % are not allowed");
        }
    }

    private static void checkSegment(String path, String segment) {
        switch (segment) {
            case "" -> throw invalid(path, "has an empty segment; it must be relative, with single slashes");
            case ".", ".." -> throw invalid(path, "has the segment \"" + segment + "\"; . and .. are not allowed");
            default -> {
                if (WINDOWS_DEVICE.matcher(segment.toLowerCase(Locale.ROOT)).matches()) {
                    throw invalid(
                            path,
                            "has the segment " + Quoted.of(segment)
                                    + ", a device name on Windows; choose another name");
                }
            }
        }
    }

    private static ProblemException invalid(String path, String rule) {
        return Problem.invalid("format", "the path " + Quoted.of(path) + " " + rule);
    }

    /// Returns the last name of the path.
    public String fileName() {
        return value.substring(value.lastIndexOf('/') + 1);
    }

    /// Returns the segments before the last.
    public List<String> folders() {
        String[] segments = value.split("/");
        return List.of(Arrays.copyOf(segments, segments.length - 1));
    }

    /// Returns the form without case. Paths with the same form collide on a file system that ignores case.
    public String folded() {
        return folded(value);
    }

    static String folded(String value) {
        return Unicode.normalize(value.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT), Normalizer.Form.NFC);
    }

    @Override
    public int compareTo(LogicalPath other) {
        return Arrays.compareUnsigned(
                value.getBytes(StandardCharsets.UTF_8), other.value.getBytes(StandardCharsets.UTF_8));
    }

    /// That of a record would be made by code that Java makes at each start.
    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value;
    }
}
