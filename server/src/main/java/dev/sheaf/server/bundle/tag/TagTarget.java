package dev.sheaf.server.bundle.tag;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Version;
import org.jspecify.annotations.Nullable;

/// A request to set a tag.
///
/// @param expected the version to which the tag must point now; null for any
/// @param protect whether to protect it from now on; null to leave this unchanged
public record TagTarget(
        Version version,
        @Nullable Version expected,
        @Nullable Boolean protect) {
    private static final Version NONE = Version.parse("0.0.0");

    public static TagTarget parse(RequestFields fields) {
        return new TagTarget(
                fields.parsed("version", Version::parse, NONE), expected(fields), fields.flag("protected"));
    }

    /// Reads the expected version of a compare-and-set.
    static @Nullable Version expected(RequestFields fields) {
        return fields.optional("expectedVersion", Version::parse);
    }
}
