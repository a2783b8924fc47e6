package dev.sheaf.engine.db;

import dev.sheaf.engine.cpu.CpuAccount;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Throttle;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Limits how many connections of the pool a group holds at a time: an organization three quarters, all callers without
/// a credential together a half, all whose credential is being checked a quarter. So slow transactions of one leave
/// connections to others. Callers of a group get them in the order in which they came, and wait at most five seconds.
/// Thread-safe.
final class ConnectionQuota {
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Semaphore strangers;
    private final Semaphore newcomers;
    private final Map<Object, Group> organizations = new ConcurrentHashMap<>(); // that use or want connections now
    private final int most; // for one of them
    private final AtomicInteger waiting = new AtomicInteger();

    /// @param connections their number
    ConnectionQuota(int connections) {
        this.strangers = permits(connections / 2);
        this.newcomers = permits(connections / 4);
        this.most = connections * 3 / 4;
    }

    private static final class Group {
        private final Semaphore quota;
        private int users;

        Group(Semaphore quota) {
            this.quota = quota;
        }
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
        return switch (group) {
            case null -> work.get();
            case CpuAccount.Stranger stranger -> within(strangers, work);
            case CpuAccount.Newcomer newcomer -> within(newcomers, work);
            default -> ofOrganization(group, work);
        };
    }

    private <T extends @Nullable Object> T ofOrganization(Object organization, Supplier<T> work) {
        var group = organizations.compute(organization, (key, known) -> {
            var its = known == null ? new Group(permits(most)) : known;
            its.users++;
            return its;
        });
        try {
            return within(group.quota, work);
        } finally {
            organizations.compute(organization, (key, known) -> --group.users == 0 ? null : known);
        }
    }

    private <T extends @Nullable Object> T within(Semaphore quota, Supplier<T> work) {
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
                                Throttle.TIME,
                                "your organization or address uses its share of the connections to the database"
                                        + " (database-connections); send fewer requests at a time, and try again",
                                1)
                        .raise();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Problem.Unavailable(Throttle.TIME, "the wait for the database took too long; try again", 1)
                    .raise();
        } finally {
            waiting.decrementAndGet();
        }
    }

    /// Returns how many wait.
    int waiting() {
        return waiting.get();
    }
}
