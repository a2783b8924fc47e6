package dev.sheaf.server.http.message;

import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Caller;
import java.time.Duration;

/// How long and by whom an answer may be cached (contract 1.1).
public enum Caching {
    /// The target of a tag, or a list: soon outdated.
    MOVING(Duration.ofSeconds(30)),
    /// An exact version or a digest: never changes, although it may be yanked.
    FIXED(Duration.ofHours(1));

    private final Duration shared;

    Caching(Duration shared) {
        this.shared = shared;
    }

    /// Adds the Cache-Control for a resource of this visibility. Shared caches may only store what an anonymous
    /// caller gets of public resources.
    public Answer on(Answer answer, Caller caller, Visibility visibility) {
        boolean open = visibility == Visibility.PUBLIC && caller instanceof Caller.Anonymous;
        return answer.with("Cache-Control", open ? "public, max-age=" + shared.toSeconds() : "private, no-cache")
                .with("Vary", "Authorization");
    }
}
