package dev.sheaf.cli.command;

import dev.sheaf.client.api.SheafException;
import java.time.Duration;

/// Paces repeated requests about unfinished work: the first come soon, so that the end of short work is noticed
/// quickly; later ones are rarer. For one thread.
public final class PollingPause {
    private final Duration longest;
    private Duration pause = Duration.ofMillis(20);

    /// Paces requests about work that takes seconds.
    public PollingPause() {
        this(Duration.ofMillis(500));
    }

    /// @param longest the pause before later requests
    public PollingPause(Duration longest) {
        this.longest = longest;
    }

    /// Waits until it is time for the next request.
    ///
    /// @throws SheafException.Cancelled if the thread is interrupted
    public void await() {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SheafException.Cancelled();
        }
        var twice = pause.multipliedBy(2);
        pause = twice.compareTo(longest) < 0 ? twice : longest;
    }
}
