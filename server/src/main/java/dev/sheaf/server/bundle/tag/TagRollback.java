package dev.sheaf.server.bundle.tag;

import dev.sheaf.model.Version;
import dev.sheaf.server.input.Fields;
import dev.sheaf.server.input.IdText;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Where a tag is to go back to.
///
/// @param entry the id of a move of its history, to where that put it; null: to before the last one
/// @param expected where it must be now; null: wherever
public record TagRollback(@Nullable UUID entry, @Nullable Version expected) {
    public static TagRollback parse(Fields fields) {
        return new TagRollback(
                fields.optional("entry", IdText.of("an entry of the tag's history")), TagTarget.expected(fields));
    }
}
