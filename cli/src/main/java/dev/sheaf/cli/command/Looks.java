package dev.sheaf.cli.command;

import dev.sheaf.client.api.SheafException;
import java.time.Duration;

/// Looks again and again at what the registry still does: what is small is over at once, and what is large is not
/// asked for all the time. For one thread.
public final class Looks {
    private static final Duration LONGEST = Duration.ofMillis(500);

    private Duration pause = Duration.ofMillis(20);

    /// Waits until it is time for the next.
    ///
    /// @throws SheafException.Cancelled where the thread is interrupted
    public void await() {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SheafException.Cancelled();
        }
        var twice = pause.multipliedBy(2);
        pause = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
    }
}
