package dev.sheaf.model;

import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.text.Unicode;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The rules for the paths of new content, in addition to the rules that [LogicalPath] always checks (contract
/// 2): no names that a file system could confuse, no invisible characters, no names that a version control
/// system treats specially. The registry checks these rules wherever content enters. A client checks them again
/// before it writes files, since it does not trust the registry.
public final class PathRules {
    private static final String FORBIDDEN = ":*\"<>|";
    /// The folders of version control systems, as these systems write them. Some run programs that the files there
    /// name.
    public static final Set<String> VERSION_CONTROL = Set.of(
            ".git", ".hg", ".svn", ".jj", ".sl", ".bzr", "_darcs", ".pijul", ".fossil", ".fslckout", "_FOSSIL_", "CVS");

    /// The limit for the length of each name in a path, in bytes of UTF-8: file systems hold no longer ones.
    public static final int MAX_NAME_BYTES = 255;

    private static final int SHORT_NAME = 6;

    /// What Info-ZIP cuts from a name, because it reads it as the number of a version in VMS.
    private static final Pattern NUMBERED = Pattern.compile(";[0-9]*(?:/|$)");

    /// A name as Windows gives it to a file besides its own, such as `import~1.md`.
    private static final Pattern SHORT = Pattern.compile("([^~.]{1,6})~[0-9]{1,6}(?:\\.([^.]{0,3}))?");

    private static final Pattern FITS = Pattern.compile("[^. ]{1,8}(?:\\.[^. ]{0,3})?"); // needs no short name

    /// Default-ignorable code points of Unicode that are not format characters.
    private static final int[][] IGNORABLE = {
        {0x034F, 0x034F},
        {0x115F, 0x1160},
        {0x17B4, 0x17B5},
        {0x180B, 0x180F},
        {0x2065, 0x2065},
        {0x3164, 0x3164},
        {0xFE00, 0xFE0F},
        {0xFFA0, 0xFFA0},
        {0xFFF0, 0xFFF8},
        {0xE0000, 0xE0FFF}
    };

    private PathRules() {}

    /// A path that breaks a rule.
    ///
    /// @param code for programs: `format` (the path breaks a rule by itself), `duplicate`, `folder` or
    /// `repository`
    /// @param rule completes a sentence that begins "the path … "
    public record Violation(LogicalPath path, String code, String rule) {
        /// Returns a sentence for people.
        public String detail() {
            return "the path " + Quoted.of(path.value()) + " " + rule;
        }
    }

    /// Returns the rules that the path breaks by itself, without duplicates.
    public static List<Violation> of(LogicalPath path) {
        var rules = new TreeSet<String>();
        path.value().codePoints().forEach(c -> character(c).ifPresent(rules::add));
        for (String segment : path.value().split("/")) {
            segment(segment).ifPresent(rules::add);
        }
        return rules.stream().map(rule -> new Violation(path, "format", rule)).toList();
    }

    /// Returns all violations: first of single paths, ordered by path, then clashes between paths.
    public static List<Violation> check(Collection<LogicalPath> paths) {
        var found = new ArrayList<Violation>();
        paths.stream().distinct().sorted().forEach(path -> found.addAll(of(path)));
        found.addAll(clashes(paths));
        return List.copyOf(found);
    }

    /// Returns the rules that the path of new content breaks by itself. Besides [#of], names must not end in `;`
    /// and a number, and have at most [#MAX_NAME_BYTES]. Versions that were published before keep such files.
    public static List<Violation> ofNew(LogicalPath path) {
        var rules = new ArrayList<>(of(path));
        Stream.of(path.value().split("/"))
                .mapToInt(name -> name.getBytes(StandardCharsets.UTF_8).length)
                .filter(bytes -> bytes > MAX_NAME_BYTES)
                .findFirst()
                .ifPresent(bytes -> rules.add(new Violation(
                        path,
                        "format",
                        "has a name of " + bytes + " bytes of UTF-8; file systems hold at most " + MAX_NAME_BYTES)));
        if (isNumbered(path.value())) {
            rules.add(new Violation(
                    path, "format", "has a name that ends in ; and a number or nothing, which unzip leaves out"));
        }
        return List.copyOf(rules);
    }

    /// Returns all violations of the paths of new content: besides [#check], those of [#ofNew], and names that
    /// Windows may take for another file in the same folder.
    public static List<Violation> checkNew(Collection<LogicalPath> paths) {
        var found = new ArrayList<Violation>();
        paths.stream().distinct().sorted().forEach(path -> found.addAll(ofNew(path)));
        found.addAll(clashes(paths));
        found.addAll(shortNames(paths));
        return List.copyOf(found);
    }

    /// Returns whether unzip writes a file with this path under a shorter one.
    public static boolean isNumbered(String path) {
        return NUMBERED.matcher(path).find();
    }

    /// Returns the paths with a name that may be the short name of another one in the same folder: the second of
    /// the two to be unpacked then replaces the first.
    private static List<Violation> shortNames(Collection<LogicalPath> paths) {
        if (paths.stream().noneMatch(path -> path.value().indexOf('~') >= 0)) {
            return List.of();
        }
        record Short(LogicalPath path, String key) {}
        var named = new ArrayList<Short>();
        Map<String, String> others = new HashMap<>();
        for (LogicalPath path : paths.stream().sorted().toList()) {
            var folder = new StringBuilder();
            for (String segment : path.value().split("/")) {
                String name = plain(segment);
                var matcher = SHORT.matcher(name);
                if (matcher.matches()) {
                    String ending = Objects.requireNonNullElse(matcher.group(2), "");
                    named.add(new Short(path, shortKey(folder, matcher.group(1), 2, ending)));
                } else if (!FITS.matcher(name).matches()) {
                    int dot = name.lastIndexOf('.');
                    String ending = dot < 0 ? "" : name.substring(dot + 1, Math.min(name.length(), dot + 4));
                    String letters = name.replace(" ", "").replace(".", "");
                    others.putIfAbsent(shortKey(folder, letters, 1, ending), name);
                    others.putIfAbsent(shortKey(folder, letters, 2, ending), name);
                }
                folder.append('/').append(name);
            }
        }
        return named.stream()
                .filter(one -> others.containsKey(one.key()))
                .map(one -> new Violation(
                        one.path(),
                        "duplicate",
                        "can be the short name of " + Quoted.of(Objects.requireNonNull(others.get(one.key())))
                                + " on Windows"))
                .toList();
    }

    /// Returns what a name and its short name have in common: the folder, up to two letters, and the ending.
    private static String shortKey(CharSequence folder, String name, int letters, String ending) {
        return folder + "/" + name.substring(0, Math.min(letters, name.length())) + "." + ending;
    }

    private static Optional<String> character(int c) {
        if (c < 0x80) {
            return FORBIDDEN.indexOf(c) < 0
                    ? Optional.empty()
                    : Optional.of("contains " + (c == '"' ? "a double quote" : "\"" + (char) c + "\"")
                            + "; the characters : * \" < > | are not allowed");
        }
        if ((c & 0xFFFE) == 0xFFFE || c >= 0xFDD0 && c <= 0xFDEF) {
            return Optional.of(
                    "contains U+" + String.format(Locale.ROOT, "%04X", c) + ", which is not a Unicode character");
        }
        return isInvisible(c)
                ? Optional.of("contains the invisible character U+" + String.format(Locale.ROOT, "%04X", c))
                : Optional.empty();
    }

    /// Returns whether a character is a format character (Cf), which may change the direction of text, or
    /// another character that is invisible or ends a line.
    private static boolean isInvisible(int c) {
        return switch (Character.getType(c)) {
            case Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default -> {
                for (int[] range : IGNORABLE) {
                    if (c >= range[0] && c <= range[1]) {
                        yield true;
                    }
                }
                yield false;
            }
        };
    }

    private static Optional<String> segment(String segment) {
        for (String name : VERSION_CONTROL) {
            if (isDisguise(segment, name.toLowerCase(Locale.ROOT))) {
                return Optional.of("has the segment " + Quoted.of(segment) + ", which some systems treat as " + name
                        + ", the folder of a version control system");
            }
        }
        int last = segment.codePointBefore(segment.length());
        if (last == '.' || isSpace(last)) {
            return Optional.of("has the segment " + Quoted.of(segment) + ", which ends in a "
                    + (last == '.' ? "dot" : "space") + ", which Windows does not allow");
        }
        return Optional.empty();
    }

    private static boolean isSpace(int c) {
        return Character.isSpaceChar(c);
    }

    /// Returns whether a file system could treat `segment` as `name`. Some ignore case, invisible characters
    /// (HFS+), or trailing dots and spaces (Windows). Some accept the name of a stream after a colon (NTFS),
    /// give each file a second, short name (NTFS, FAT), or treat compatible forms of a letter as equal.
    ///
    /// @param name a name in lower case of at least two characters besides a leading dot
    public static boolean isDisguise(String segment, String name) {
        String plain = plain(segment);
        String base = name.startsWith(".") ? name.substring(1) : name;
        int tilde = plain.lastIndexOf('~');
        if (tilde < 0 || !plain.substring(tilde + 1).matches("[0-9]+")) {
            return plain.equals(name);
        }
        String shortened = plain.substring(0, tilde);
        return shortened.equals(base.substring(0, Math.min(base.length(), SHORT_NAME)))
                || shortened.matches(base.substring(0, 2) + "[0-9a-f]{4}");
    }

    /// Returns the name without everything that a file system may ignore: in lower case, with the plain form of
    /// each letter, without invisible characters, without dots and spaces at the end, and without the name of a
    /// stream.
    public static String plain(String segment) {
        var shown = new StringBuilder();
        segment.codePoints()
                .filter(c -> !isInvisible(c) && !Character.isISOControl(c))
                .forEach(shown::appendCodePoint);
        String folded = LogicalPath.folded(Unicode.normalize(shown.toString(), Normalizer.Form.NFKC));
        int colon = folded.indexOf(':');
        int end = colon < 0 ? folded.length() : colon;
        while (end > 0 && (folded.charAt(end - 1) == '.' || isSpace(folded.charAt(end - 1)))) {
            end--;
        }
        return folded.substring(0, end);
    }

    /// Returns the clashes between these paths. If two paths clash, it reports only one of them, so that all
    /// other paths can be written. If paths or folders differ only in case, it reports all but the first. If a
    /// path is both a file and a folder, it reports the file.
    public static List<Violation> clashes(Collection<LogicalPath> paths) {
        var sorted = paths.stream().sorted().toList();
        Set<String> files = new HashSet<>();
        Set<String> folders = new HashSet<>();
        for (LogicalPath path : sorted) {
            String folded = path.folded();
            files.add(folded);
            for (int slash = folded.indexOf('/'); slash >= 0; slash = folded.indexOf('/', slash + 1)) {
                folders.add(folded.substring(0, slash));
            }
        }
        Map<String, LogicalPath> seen = new HashMap<>();
        Map<String, String> spelt = new HashMap<>();
        var found = new ArrayList<Violation>();
        for (LogicalPath path : sorted) {
            String folded = path.folded();
            var other = seen.putIfAbsent(folded, path);
            if (other != null) {
                found.add(new Violation(path, "duplicate", twice(path, other)));
            } else if (folders.contains(folded)) {
                found.add(new Violation(path, "folder", "clashes with another path, which uses it as a folder"));
            } else if (isHead(folded, folders, files)) {
                found.add(new Violation(path, "repository", "would make its folder a Git repository"));
            } else {
                twin(path, folded, spelt)
                        .ifPresent(twin -> found.add(new Violation(
                                path,
                                "duplicate",
                                "is in a folder that clashes with " + Quoted.of(twin)
                                        + ": they are the same on file systems that ignore case")));
            }
        }
        return List.copyOf(found);
    }

    /// Returns an earlier spelling of one of this path's folders that differs only in case. If there is no such
    /// spelling, records this path's spellings.
    private static Optional<String> twin(LogicalPath path, String folded, Map<String, String> spelt) {
        var own = new HashMap<String, String>();
        String value = path.value();
        int slash = value.indexOf('/');
        for (int end = folded.indexOf('/'); end >= 0; end = folded.indexOf('/', end + 1)) {
            String folder = value.substring(0, slash);
            String known = spelt.get(folded.substring(0, end));
            if (known == null) {
                own.put(folded.substring(0, end), folder);
            } else if (!known.equals(folder)) {
                return Optional.of(known);
            }
            slash = value.indexOf('/', slash + 1);
        }
        spelt.putAll(own);
        return Optional.empty();
    }

    private static String twice(LogicalPath path, LogicalPath other) {
        return path.equals(other)
                ? "appears twice"
                : "clashes with " + Quoted.of(other.value()) + ": they are the same on file systems that ignore case";
    }

    /// Returns whether the path makes its folder a bare Git repository: the path is `HEAD`, beside `objects`
    /// and `refs`, or beside `commondir`, which names a folder that contains them. This is dangerous because
    /// the configuration of a repository can name programs to run. Git only checks whether it may enter
    /// `objects` and `refs`; executable files pass that check too.
    private static boolean isHead(String folded, Set<String> folders, Set<String> files) {
        if (!folded.equals("head") && !folded.endsWith("/head")) {
            return false;
        }
        String folder = folded.substring(0, folded.length() - "head".length());
        return Stream.of("objects", "refs")
                        .allMatch(name -> folders.contains(folder + name) || files.contains(folder + name))
                || files.contains(folder + "commondir");
    }
}
