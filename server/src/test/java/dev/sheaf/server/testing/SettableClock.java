package dev.sheaf.server.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A clock that stands still until a test moves it. Thread-safe.
public final class SettableClock implements InstantSource {
    private volatile Instant now = Instant.parse("2030-01-31T12:00:00Z");

    @Override
    public Instant instant() {
        return now;
    }

    public void advance(Duration by) {
        now = now.plus(by);
    }
}
