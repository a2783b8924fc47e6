package dev.sheaf.server.bundle.tag;

import dev.sheaf.model.Version;
import dev.sheaf.server.input.Fields;
import org.jspecify.annotations.Nullable;

/// Where to put a tag.
///
/// @param expected where it must be now; null: wherever
/// @param protect whether it is protected from now on; null: as before
public record TagTarget(
        Version version,
        @Nullable Version expected,
        @Nullable Boolean protect) {
    private static final Version NONE = Version.parse("0.0.0");

    public static TagTarget parse(Fields fields) {
        return new TagTarget(
                fields.parsed("version", Version::parse, NONE), expected(fields), fields.flag("protected"));
    }

    /// The compare of compare-and-set.
    static @Nullable Version expected(Fields fields) {
        return fields.optional("expectedVersion", Version::parse);
    }
}
