package dev.sheaf.server.mcp;

import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Caller;
import java.util.Map;

/// How long a client may keep a result, and whether others may have it (2026-07-28, "CacheableResult").
enum Lasting {
    /// A list of what may change.
    MOVING(30_000),
    /// What an exact version holds.
    FIXED(3_600_000);

    private final long millis;

    Lasting(long millis) {
        this.millis = millis;
    }

    /// Adds both members, where the revision has them.
    Map<String, Object> on(Era era, Map<String, Object> result, boolean isPublic) {
        if (era == Era.STATELESS) {
            result.put("ttlMs", millis);
            result.put("cacheScope", isPublic ? "public" : "private");
        }
        return result;
    }

    /// What anonymous callers are told, anybody may have.
    static boolean isPublic(Caller caller) {
        return caller instanceof Caller.Anonymous;
    }

    static boolean isPublic(Caller caller, Visibility visibility) {
        return isPublic(caller) && visibility == Visibility.PUBLIC;
    }
}
