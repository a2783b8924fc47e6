package dev.sheaf.server.identity;

import dev.sheaf.model.Handle;
import dev.sheaf.model.Problem;
import dev.sheaf.server.input.Fields;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/// What somebody wants to be called, and how they want to be shown times.
///
/// @param username unique in the installation; null: as before
/// @param namesFully whether the full name is to be this one, also where it is null
/// @param movesZone whether the time zone is to be this one, also where it is null, which means UTC
public record ProfileEdit(
        @Nullable Handle username,
        boolean namesFully,
        @Nullable String fullName,
        boolean movesZone,
        @Nullable String timeZone) {
    static final int MAX_NAME = 200;
    private static final Handle NONE = new Handle("none");

    public static ProfileEdit parse(Fields fields) {
        return new ProfileEdit(
                fields.sent("username") ? fields.parsed("username", Handle::parse, NONE) : null,
                fields.sent("fullName"),
                fields.optional("fullName", MAX_NAME),
                fields.sent("timeZone"),
                fields.optional("timeZone", ProfileEdit::zone));
    }

    /// A region of the IANA database, which an offset such as `+02:00` is not.
    private static String zone(String text) {
        if (!ZoneId.getAvailableZoneIds().contains(text)) {
            throw Problem.invalid("unknown", "must be a time zone of the IANA database, such as Europe/Zurich or UTC");
        }
        return text;
    }
}
