package dev.sheaf.server.mcp;

import java.util.LinkedHashMap;
import java.util.Map;

/// What a method answers.
///
/// @param members of the result
/// @param size about how many bytes it has
record Result(Map<String, Object> members, long size) {
    private static final int SHORT = 2_000;

    static Result of(Map<String, Object> members) {
        return new Result(members, SHORT);
    }

    /// Of members in their order: names and values.
    static Map<String, Object> members(Object... all) {
        var members = new LinkedHashMap<String, Object>();
        for (int i = 0; i < all.length; i += 2) {
            members.put((String) all[i], all[i + 1]);
        }
        return members;
    }
}
