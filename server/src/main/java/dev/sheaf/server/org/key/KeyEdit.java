package dev.sheaf.server.org.key;

import dev.sheaf.engine.input.RequestFields;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A change of a key; null members stay unchanged.
///
/// @param describes whether the description changes, possibly to null
public record KeyEdit(
        @Nullable String name,
        boolean describes,
        @Nullable String description,
        @Nullable Boolean disabled) {
    private static final List<String> FIXED = List.of("scopes", "restrictions", "expiresAt", "expiresIn");

    private static final Set<String> MEMBERS =
            Set.of("name", "description", "disabled", "scopes", "restrictions", "expiresAt", "expiresIn");

    /// An unknown member is refused, since a misspelt `disabled` would leave the key in use.
    public static KeyEdit parse(RequestFields fields) {
        fields.only(MEMBERS);
        FIXED.stream()
                .filter(fields::sent)
                .forEach(name -> fields.error(name, "immutable", "cannot be changed; create a new key"));
        String name = fields.sent("name") ? fields.required("name", NewKey.MAX_NAME) : null;
        String description = fields.optional("description", NewKey.MAX_DESCRIPTION);
        Boolean disabled = fields.flag("disabled");
        return new KeyEdit(
                name,
                fields.sent("description"),
                description,
                fields.sent("disabled") ? Boolean.valueOf(Boolean.TRUE.equals(disabled)) : null);
    }
}
