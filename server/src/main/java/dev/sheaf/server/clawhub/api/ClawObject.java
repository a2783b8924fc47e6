package dev.sheaf.server.clawhub.api;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/// An object of JSON. Null is a value.
final class ClawObject extends LinkedHashMap<String, @Nullable Object> {
    private static final long serialVersionUID = 1;

    /// Returns an object with these members, names and values by turns.
    static ClawObject of(@Nullable Object... members) {
        return new ClawObject().and(members);
    }

    ClawObject and(@Nullable Object... members) {
        for (int i = 0; i < members.length; i += 2) {
            put(String.valueOf(members[i]), members[i + 1]);
        }
        return this;
    }
}
