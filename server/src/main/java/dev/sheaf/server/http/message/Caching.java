package dev.sheaf.server.http.message;

import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Caller;
import java.time.Duration;

/// How long an answer may be kept, and by whom (contract 1.1).
public enum Caching {
    /// What a tag points to, or a list: soon out of date.
    MOVING(Duration.ofSeconds(30)),
    /// What an exact version or a digest names: never changes, though it may be yanked.
    FIXED(Duration.ofHours(1));

    private final Duration shared;

    Caching(Duration shared) {
        this.shared = shared;
    }

    /// The Cache-Control of an answer about something of this visibility: shared caches may keep only what an
    /// anonymous caller was told about public things.
    public Answer on(Answer answer, Caller caller, Visibility visibility) {
        boolean open = visibility == Visibility.PUBLIC && caller instanceof Caller.Anonymous;
        return answer.with("Cache-Control", open ? "public, max-age=" + shared.toSeconds() : "private, no-cache")
                .with("Vary", "Authorization");
    }
}
