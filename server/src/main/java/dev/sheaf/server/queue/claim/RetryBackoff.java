package dev.sheaf.server.queue.claim;

import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.job.JobRow;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/// The wait of a failed job: a random time between the queue's base and a maximum that doubles with each
/// attempt, up to the cap. It is random so that jobs that fail together are not retried together.
final class RetryBackoff {
    private static final int MOST_DOUBLINGS = 30;

    private RetryBackoff() {}

    static Duration after(QueueRow queue, JobRow job) {
        long base = Duration.ofSeconds(queue.retryBase()).toMillis();
        long cap = Duration.ofSeconds(queue.retryCap()).toMillis();
        int tries = Math.max(1, job.attempt() - Math.max(0, job.lastAttempt() - queue.maxAttempts()));
        long most = Math.min(cap, base << Math.min(tries, MOST_DOUBLINGS));
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(base, Math.max(base, most) + 1));
    }
}
