package dev.sheaf.server.bundle;

import dev.sheaf.model.Problem;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A place in a list of pulls.
///
/// @param day in days since 1970 (UTC)
/// @param name a kind of client, or a credential
public record UsePlace(long day, UUID version, String name) {
    private static final int PARTS = 3;

    /// @param key as [#toString] returns it; null for the beginning
    /// @throws dev.sheaf.model.ProblemException invalid-cursor
    public static @Nullable UsePlace parse(@Nullable String key) {
        if (key == null) {
            return null;
        }
        String[] parts = key.split(" ", PARTS);
        try {
            if (parts.length == PARTS) {
                return new UsePlace(Long.parseLong(parts[0]), UUID.fromString(parts[1]), parts[2]);
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw new Problem.InvalidCursor().raise();
    }

    static Map<String, Object> values(@Nullable UsePlace place) {
        return place == null
                ? Map.of()
                : Map.of("afterDay", place.day, "afterVersion", place.version, "afterName", place.name);
    }

    @Override
    public String toString() {
        return day + " " + version + " " + name;
    }
}
