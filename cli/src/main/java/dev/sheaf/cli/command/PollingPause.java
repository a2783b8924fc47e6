package dev.sheaf.cli.command;

import dev.sheaf.client.api.SheafException;
import java.time.Duration;

/// Paces repeated requests about unfinished work: the first come soon, so that the end of short work is noticed
/// quickly; later ones are rarer. For one thread.
public final class PollingPause {
    private static final Duration LONGEST = Duration.ofMillis(500);

    private Duration pause = Duration.ofMillis(20);

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
        pause = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
    }
}
