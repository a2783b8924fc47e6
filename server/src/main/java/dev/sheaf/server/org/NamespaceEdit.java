package dev.sheaf.server.org;

import dev.sheaf.server.input.Fields;
import org.jspecify.annotations.Nullable;

/// A change of a namespace.
///
/// @param skillsIndex null for no change
public record NamespaceEdit(@Nullable Boolean skillsIndex) {
    public static NamespaceEdit parse(Fields fields) {
        return new NamespaceEdit(fields.flag("skillsIndex"));
    }
}
