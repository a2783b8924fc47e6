package dev.sheaf.server.queue.claim;

import dev.sheaf.server.queue.Bell;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Those who wait on this node for a job, in lines: of a queue, of a habitat, or of an organization. One job wakes
/// one of
/// them, whoever has waited longest; who then finds one wakes the next. Nobody asks the database while they wait.
/// Thread-safe.
public final class Waiters {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<UUID, LinkedHashSet<Waiter>> lines = new HashMap<>();
    private long arrivals;
    private volatile boolean stopped;

    /// Somebody who waits. For one thread at a time.
    public final class Waiter implements AutoCloseable {
        private final UUID line;
        private final Condition told = lock.newCondition();
        private final long number;
        private @Nullable Bell bell;

        private Waiter(UUID line, long number) {
            this.line = line;
            this.number = number;
        }

        /// Waits until a job may be there, or so long.
        public void await(long nanos) {
            lock.lock();
            try {
                long left = nanos;
                while (bell == null && !stopped && left > 0) {
                    left = told.awaitNanos(left);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                lock.unlock();
            }
        }

        /// Says that it looks now: what comes from now on wakes it again.
        public void look() {
            lock.lock();
            try {
                bell = null;
                lines.computeIfAbsent(line, first -> new LinkedHashSet<>()).add(this);
            } finally {
                lock.unlock();
            }
        }

        /// Whether this node ends, so that nobody waits any more.
        public boolean isOver() {
            return stopped;
        }

        /// Where it was woken and does not look, the next one is.
        @Override
        public void close() {
            lock.lock();
            try {
                leave();
                if (bell != null) {
                    ring(bell);
                }
            } finally {
                lock.unlock();
            }
        }

        private void leave() {
            lines.computeIfPresent(line, (same, waiting) -> {
                waiting.remove(this);
                return waiting.isEmpty() ? null : waiting;
            });
        }

        private void tell(Bell its) {
            leave();
            bell = its;
            told.signal();
        }
    }

    /// To be closed. It is woken by what comes from now on.
    ///
    /// @param queue null: any
    /// @param habitat null: any
    public Waiter join(UUID organization, @Nullable UUID habitat, @Nullable UUID queue) {
        lock.lock();
        try {
            var line = queue != null ? queue : Objects.requireNonNullElse(habitat, organization);
            var waiter = new Waiter(line, arrivals++);
            waiter.look();
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    /// Wakes one who waits for such a job.
    public void ring(Bell bell) {
        lock.lock();
        try {
            Stream.of(bell.queue(), bell.habitat(), bell.organization())
                    .filter(Objects::nonNull)
                    .map(lines::get)
                    .filter(Objects::nonNull)
                    .map(Set::iterator)
                    .map(waiting -> waiting.next())
                    .min((one, other) -> Long.compare(one.number, other.number))
                    .ifPresent(waiter -> waiter.tell(bell));
        } finally {
            lock.unlock();
        }
    }

    /// Wakes all: something may have been missed.
    void ringAll() {
        lock.lock();
        try {
            for (var waiting : lines.values().stream().flatMap(Set::stream).toList()) {
                waiting.tell(new Bell(waiting.line, null, null));
            }
        } finally {
            lock.unlock();
        }
    }

    /// How many wait.
    public int count() {
        lock.lock();
        try {
            return lines.values().stream().mapToInt(Set::size).sum();
        } finally {
            lock.unlock();
        }
    }

    /// Lets nobody wait any more.
    void stop() {
        stopped = true;
        ringAll();
    }
}
