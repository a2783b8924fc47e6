package dev.sheaf.server.org;

import dev.sheaf.engine.input.RequestFields;
import org.jspecify.annotations.Nullable;

/// A change of a namespace.
///
/// @param skillsIndex null for no change
public record NamespaceEdit(@Nullable Boolean skillsIndex) {
    public static NamespaceEdit parse(RequestFields fields) {
        return new NamespaceEdit(fields.flag("skillsIndex"));
    }
}
