package dev.sheaf.server.identity;

import dev.sheaf.model.Handle;
import dev.sheaf.server.input.Fields;
import org.jspecify.annotations.Nullable;

/// What somebody wants to be called.
///
/// @param username unique in the installation; null: as before
/// @param namesFully whether the full name is to be this one, also where it is null
public record ProfileEdit(
        @Nullable Handle username,
        boolean namesFully,
        @Nullable String fullName) {
    static final int MAX_NAME = 200;
    private static final Handle NONE = new Handle("none");

    public static ProfileEdit parse(Fields fields) {
        return new ProfileEdit(
                fields.sent("username") ? fields.parsed("username", Handle::parse, NONE) : null,
                fields.sent("fullName"),
                fields.optional("fullName", MAX_NAME));
    }
}
