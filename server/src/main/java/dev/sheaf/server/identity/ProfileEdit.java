package dev.sheaf.server.identity;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.input.WireTimestamps;
import dev.sheaf.model.Handle;
import org.jspecify.annotations.Nullable;

/// A change of a person's names and time zone.
///
/// @param username unique in the installation; null for no change
/// @param namesFully whether the full name changes, possibly to null
/// @param movesZone whether the time zone changes, possibly to null, which means UTC
public record ProfileEdit(
        @Nullable Handle username,
        boolean namesFully,
        @Nullable String fullName,
        boolean movesZone,
        @Nullable String timeZone) {
    static final int MAX_NAME = 200;
    private static final Handle NONE = new Handle("none");

    public static ProfileEdit parse(RequestFields fields) {
        return new ProfileEdit(
                fields.sent("username") ? fields.parsed("username", Handle::parse, NONE) : null,
                fields.sent("fullName"),
                fields.optional("fullName", MAX_NAME),
                fields.sent("timeZone"),
                fields.optional("timeZone", WireTimestamps::zone));
    }
}
