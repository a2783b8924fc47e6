package dev.sheaf.server.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A clock that goes with the real one until a test moves it ahead.
public final class TestClock implements InstantSource {
    private volatile Duration ahead = Duration.ZERO;

    @Override
    public Instant instant() {
        return Instant.now().plus(ahead);
    }

    public void advance(Duration by) {
        ahead = ahead.plus(by);
    }
}
