package dev.sheaf.server.mcp;

import java.util.LinkedHashMap;
import java.util.Map;

/// The result of a method.
///
/// @param members the members of the result
/// @param size the approximate number of bytes
record MethodResult(Map<String, Object> members, long size) {
    private static final int SHORT = 2_000;

    static MethodResult of(Map<String, Object> members) {
        return new MethodResult(members, SHORT);
    }

    /// Returns members in their order. `all` contains name, value, name, value...
    static Map<String, Object> members(Object... all) {
        var members = new LinkedHashMap<String, Object>();
        for (int i = 0; i < all.length; i += 2) {
            members.put((String) all[i], all[i + 1]);
        }
        return members;
    }
}
