package dev.sheaf.server.bundle.version;

import dev.sheaf.model.Version;
import java.util.Optional;
import java.util.regex.Pattern;

/// The beginning of version numbers, such as `1.2`, which means all versions from 1.2.0 on that are below
/// 1.3.0-0.
///
/// @param from the beginning of their sort keys ([Version#sortKey])
public record VersionPrefix(String from) {
    /// The prefix of all versions.
    public static final VersionPrefix ANY = new VersionPrefix("");

    private static final Pattern ENDING = Pattern.compile("(?:[.-][*xX]?|[*])$");
    private static final Pattern NUMBERS = Pattern.compile("[0-9]+(?:\\.[0-9]+){0,1}");
    private static final int NONE = "0010".length(); // the key of the number 0
    private static final char LAST = '\u007F'; // sorts after every character of a key

    /// Parses a beginning: one to three numbers, and perhaps the beginning of a prerelease. A `.*` or `.x`
    /// at its end says nothing more. Empty if no version begins like this.
    public static Optional<VersionPrefix> parse(String text) {
        String typed = text.startsWith("v") ? text.substring(1) : text;
        String plain = ENDING.matcher(typed).replaceFirst("");
        if (plain.isEmpty()) {
            return typed.isEmpty() ? Optional.empty() : Optional.of(ANY);
        }
        if (NUMBERS.matcher(plain).matches()) {
            int missing = plain.indexOf('.') < 0 ? 2 : 1;
            return Version.find(plain + ".0".repeat(missing)).map(found -> cut(found, missing * NONE + 1));
        }
        return Version.find(plain).map(found -> cut(found, 1));
    }

    private static VersionPrefix cut(Version version, int end) {
        String key = version.sortKey();
        return new VersionPrefix(key.substring(0, key.length() - end));
    }

    /// Returns the end of the sort keys, which is not one of them.
    String to() {
        return from + LAST;
    }
}
