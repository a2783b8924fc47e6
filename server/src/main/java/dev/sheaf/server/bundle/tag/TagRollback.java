package dev.sheaf.server.bundle.tag;

import dev.sheaf.engine.input.IdText;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Version;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A request to roll back a tag.
///
/// @param entry the id of a move in its history, to return to its result; null to undo the last move
/// @param expected the version to which the tag must point now; null for any
public record TagRollback(@Nullable UUID entry, @Nullable Version expected) {
    public static TagRollback parse(RequestFields fields) {
        return new TagRollback(
                fields.optional("entry", IdText.of("an entry of the tag's history")), TagTarget.expected(fields));
    }
}
