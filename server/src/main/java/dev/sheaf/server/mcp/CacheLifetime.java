package dev.sheaf.server.mcp;

import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Caller;
import java.util.Map;

/// The time for which a client may keep a result (2026-07-28, "CacheableResult").
enum CacheLifetime {
    /// A list that may change.
    MOVING(30_000),
    /// The content of an exact version.
    FIXED(3_600_000);

    private final long millis;

    CacheLifetime(long millis) {
        this.millis = millis;
    }

    /// Adds both members if the revision defines them.
    Map<String, Object> on(ProtocolGeneration era, Map<String, Object> result, boolean isPublic) {
        if (era == ProtocolGeneration.STATELESS) {
            result.put("ttlMs", millis);
            result.put("cacheScope", isPublic ? "public" : "private");
        }
        return result;
    }

    /// Returns whether an answer may be shared, as with anonymous callers.
    static boolean isPublic(Caller caller) {
        return caller instanceof Caller.Anonymous;
    }

    static boolean isPublic(Caller caller, Visibility visibility) {
        return isPublic(caller) && visibility == Visibility.PUBLIC;
    }
}
