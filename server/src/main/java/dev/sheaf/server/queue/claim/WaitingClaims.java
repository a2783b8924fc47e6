package dev.sheaf.server.queue.claim;

import dev.sheaf.server.queue.JobSignal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Claims that wait on this node for a job of a queue, a habitat, or an organization. A job wakes the claim
/// that has waited longest. If this claim finds a job, or may not have it, it wakes the next claim. Waiting
/// claims do not query the database. Thread-safe.
public final class WaitingClaims {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Line, LinkedHashSet<Waiter>> lines = new HashMap<>();
    private long arrivals;
    private volatile boolean stopped;

    /// A line of waiting claims. It includes the organization, so that a claim for an id of another
    /// organization is never woken.
    ///
    /// @param id the id of a queue, of a habitat, or of the organization
    private record Line(UUID organization, UUID id) {}

    /// The reason for waking a waiter.
    ///
    /// @param unfit the principals that may not have the job
    private record Call(JobSignal bell, Set<String> unfit) {
        Call besides(String holder) {
            var all = new HashSet<>(unfit);
            all.add(holder);
            return new Call(bell, all);
        }
    }

    /// A waiting claim. For one thread at a time.
    public final class Waiter implements AutoCloseable {
        private final Line line;
        private final Condition told = lock.newCondition();
        private final String holder;
        private final long number;
        private @Nullable Call call;
        private @Nullable Call answered;

        private Waiter(Line line, String holder, long number) {
            this.line = line;
            this.holder = holder;
            this.number = number;
        }

        /// Waits until a job may be ready, or until the time is over.
        public void await(long nanos) {
            lock.lock();
            try {
                long left = nanos;
                while (call == null && !stopped && left > 0) {
                    left = told.awaitNanos(left);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                lock.unlock();
            }
        }

        /// Marks the start of a check. Later notices wake the waiter again.
        public void look() {
            lock.lock();
            try {
                answered = call;
                call = null;
                lines.computeIfAbsent(line, first -> new LinkedHashSet<>()).add(this);
            } finally {
                lock.unlock();
            }
        }

        /// Returns the queue of the job for which the waiter was woken; null if it was not woken, or all
        /// waiters were woken.
        public @Nullable UUID toldOf() {
            var its = answered;
            return its == null ? null : its.bell.queue();
        }

        /// Reports that the job exists but may not be given to this principal. Wakes the next waiter of another
        /// principal that has not reported this yet.
        public void passOn() {
            lock.lock();
            try {
                var its = answered;
                answered = null;
                if (its != null) {
                    wake(its.besides(holder), number);
                }
            } finally {
                lock.unlock();
            }
        }

        /// Returns whether this node is stopping, so that claims must no longer wait.
        public boolean isOver() {
            return stopped;
        }

        /// Stops waiting. If the waiter was woken but has not checked, it wakes the next one.
        @Override
        public void close() {
            lock.lock();
            try {
                leave();
                if (call != null) {
                    wake(call, -1);
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

        private void tell(Call its) {
            leave();
            call = its;
            told.signal();
        }
    }

    /// Returns a new waiter, which must be closed. Notices from now on wake it.
    ///
    /// @param holder the principal of the claim
    /// @param queue null for any
    /// @param habitat null for any
    public Waiter join(String holder, UUID organization, @Nullable UUID habitat, @Nullable UUID queue) {
        lock.lock();
        try {
            var id = queue != null ? queue : Objects.requireNonNullElse(habitat, organization);
            var waiter = new Waiter(new Line(organization, id), holder, arrivals++);
            waiter.look();
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    /// Wakes one waiter for the job.
    public void ring(JobSignal bell) {
        lock.lock();
        try {
            wake(new Call(bell, Set.of()), -1);
        } finally {
            lock.unlock();
        }
    }

    /// @param after the number of a waiter; only later waiters are woken
    private void wake(Call call, long after) {
        var bell = call.bell();
        Stream.of(bell.queue(), bell.habitat(), bell.organization())
                .filter(Objects::nonNull)
                .map(id -> lines.get(new Line(bell.organization(), id)))
                .filter(Objects::nonNull)
                .flatMap(line -> line.stream()
                        .filter(waiter -> waiter.number > after && !call.unfit().contains(waiter.holder))
                        .findFirst()
                        .stream())
                .min((one, other) -> Long.compare(one.number, other.number))
                .ifPresent(waiter -> waiter.tell(call));
    }

    /// Wakes all waiters, because a notice may have been missed.
    void ringAll() {
        lock.lock();
        try {
            for (var waiting : lines.values().stream().flatMap(Set::stream).toList()) {
                waiting.tell(new Call(new JobSignal(waiting.line.organization(), null, null, false), Set.of()));
            }
        } finally {
            lock.unlock();
        }
    }

    /// Returns the number of waiting claims.
    public int count() {
        lock.lock();
        try {
            return lines.values().stream().mapToInt(Set::size).sum();
        } finally {
            lock.unlock();
        }
    }

    /// Wakes all waiters. Later claims do not wait.
    void stop() {
        stopped = true;
        ringAll();
    }
}
