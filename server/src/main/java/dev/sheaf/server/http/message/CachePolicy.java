package dev.sheaf.server.http.message;

import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Caller;
import java.time.Duration;

/// The rules for how long an answer may be cached, and by whom (contract 1.1).
public enum CachePolicy {
    /// The target of a tag, or a list: soon outdated.
    MOVING(Duration.ofSeconds(30)),
    /// An exact version or a digest: never changes, but may be yanked, and is gone once it is recalled.
    FIXED(Duration.ofMinutes(5)),
    /// Content that others may not read, because it is recalled or not approved: never stored.
    CLOSED(Duration.ZERO);

    private final Duration shared;

    CachePolicy(Duration shared) {
        this.shared = shared;
    }

    /// Adds the Cache-Control for a resource of this visibility. Shared caches may store only answers about
    /// public resources to anonymous callers.
    public Answer on(Answer answer, Caller caller, Visibility visibility) {
        if (this == CLOSED) {
            return answer.with("Cache-Control", "private, no-store").with("Vary", "Authorization");
        }
        boolean open = visibility == Visibility.PUBLIC && caller instanceof Caller.Anonymous;
        return answer.with("Cache-Control", open ? "public, max-age=" + shared.toSeconds() : "private, no-cache")
                .with("Vary", "Authorization");
    }
}
