package dev.sheaf.client.http;

import dev.sheaf.client.api.SheafException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/// Retries failures that may be temporary: broken connections, and statuses 408, 429 and 5xx except 501 and 507
/// (no space). The waits grow, have jitter, and are at least as long as `Retry-After`. If `Retry-After` is more
/// than 30 seconds, there is no further attempt. Thread-safe.
public final class RetryPolicy {
    /// The number of attempts, unless a program sets another.
    public static final int ATTEMPTS = 4;

    /// The number of attempts if the response does not begin in time. It is lower, since each attempt takes
    /// long.
    public static final int SLOW_ATTEMPTS = 2;

    static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final long FIRST_WAIT_MILLIS = 200;

    private final int attempts;
    private final BiConsumer<SheafException, Duration> pause;

    /// Creates the policy with the usual number of attempts.
    ///
    /// @param pause waits after a failure; a test may pass a function that does not wait
    public RetryPolicy(BiConsumer<SheafException, Duration> pause) {
        this(ATTEMPTS, pause);
    }

    /// @param attempts at least 1
    public RetryPolicy(int attempts, BiConsumer<SheafException, Duration> pause) {
        this.attempts = attempts;
        this.pause = pause;
    }

    /// Returns the value of the first attempt that succeeds.
    public <T> T run(boolean repeatable, Supplier<T> attempt) {
        for (int made = 1; ; made++) {
            try {
                return attempt.get();
            } catch (SheafException e) {
                if (!repeatable && !neverArrived(e)) {
                    throw e;
                }
                pauseAfter(e, made);
            }
        }
    }

    /// Waits before the next attempt; throws `failure` if there should be no attempt after the `made` ones.
    public void pauseAfter(SheafException failure, int made) {
        if (made >= (isTimeout(failure) ? Math.min(SLOW_ATTEMPTS, attempts) : attempts) || !isTransient(failure)) {
            throw failure.withAttempts(made);
        }
        long wait = FIRST_WAIT_MILLIS << (made - 1);
        wait = wait / 2 + ThreadLocalRandom.current().nextLong(wait / 2 + 1);
        Optional<Duration> asked = failure.retryAfter();
        if (asked.isPresent() && asked.get().compareTo(LONGEST_WAIT) > 0) {
            throw failure.withAttempts(made);
        }
        pause.accept(
                failure,
                Duration.ofMillis(Math.max(wait, asked.orElse(Duration.ZERO).toMillis())));
    }

    private static boolean isTimeout(SheafException failure) {
        return failure.getCause() instanceof HttpTimeoutException
                && !(failure.getCause() instanceof HttpConnectTimeoutException);
    }

    private static boolean isTransient(SheafException failure) {
        int status = failure.status();
        return (failure instanceof SheafException.Network network && !network.isLasting())
                || status == 408
                || status == 429
                || (status >= 500 && status != 501 && status != 507);
    }

    /// Returns whether the request was refused before anything was done, so that even a request that is not
    /// repeatable may be sent again.
    private static boolean neverArrived(SheafException failure) {
        return failure.status() == 429
                || (failure instanceof SheafException.Network
                        && failure.getCause() instanceof java.net.ConnectException);
    }
}
