package dev.sheaf.server.db;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.sheaf.model.Problem;
import dev.sheaf.server.cpu.CpuAccount;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Limits how many connections of the pool a group holds at a time: an organization three quarters, all callers without
/// a credential together a half, all whose credential is being checked a quarter. So slow transactions of one leave
/// connections to others. Callers of a group get them in the order in which they came. Thread-safe.
final class ConnectionQuota {
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Semaphore strangers;
    private final Semaphore newcomers;
    private final LoadingCache<Object, Semaphore> organizations; // those that use or want connections now
    private final AtomicInteger waiting = new AtomicInteger();

    /// @param connections their number
    ConnectionQuota(int connections) {
        this.strangers = permits(connections / 2);
        this.newcomers = permits(connections / 4);
        this.organizations =
                Caffeine.newBuilder().weakValues().build(organization -> permits(connections - connections / 4));
    }

    private static Semaphore permits(int number) {
        return new Semaphore(Math.max(1, number), true);
    }

    /// Runs work that needs a connection.
    ///
    /// @param group a [CpuAccount.Stranger] for a caller without a credential, a [CpuAccount.Newcomer] while it is
    ///     checked; null for work of the node itself, which has no limit
    /// @throws dev.sheaf.model.ProblemException unavailable after five seconds
    <T extends @Nullable Object> T run(@Nullable Object group, Supplier<T> work) {
        if (group == null) {
            return work.get();
        }
        var quota = switch (group) {
            case CpuAccount.Stranger stranger -> strangers;
            case CpuAccount.Newcomer newcomer -> newcomers;
            default -> organizations.get(group);
        };
        acquire(quota);
        try {
            return work.get();
        } finally {
            quota.release();
        }
    }

    private void acquire(Semaphore quota) {
        waiting.incrementAndGet();
        try {
            if (!quota.tryAcquire(LONGEST.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new Problem.Unavailable(
                                "your organization or address uses its share of the connections to the database; try again",
                                1)
                        .raise();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Problem.Unavailable("the wait for the database was interrupted; try again", 1).raise();
        } finally {
            waiting.decrementAndGet();
        }
    }

    /// Returns how many wait.
    int waiting() {
        return waiting.get();
    }
}
