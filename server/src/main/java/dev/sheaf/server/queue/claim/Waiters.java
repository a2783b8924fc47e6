package dev.sheaf.server.queue.claim;

import dev.sheaf.server.queue.Bell;
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

/// Those who wait on this node for a job, in lines: of a queue, of a habitat, or of an organization. One job wakes
/// one of them, whoever has waited longest; who then finds one wakes the next, and so does who may not have it. Nobody
/// asks the database while they wait.
/// Thread-safe.
public final class Waiters {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Line, LinkedHashSet<Waiter>> lines = new HashMap<>();
    private long arrivals;
    private volatile boolean stopped;

    /// Where somebody waits: of an organization, so that one who names the id of another's waits in vain.
    ///
    /// @param id of a queue, of a habitat, or of the organization
    private record Line(UUID organization, UUID id) {}

    /// Why somebody is woken.
    ///
    /// @param unfit the principals that may not have the job
    private record Call(Bell bell, Set<String> unfit) {
        Call besides(String holder) {
            var all = new HashSet<>(unfit);
            all.add(holder);
            return new Call(bell, all);
        }
    }

    /// Somebody who waits. For one thread at a time.
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

        /// Waits until a job may be there, or so long.
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

        /// Says that it looks now: what comes from now on wakes it again.
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

        /// The queue of the job that had it look; null where it looks by itself, or all were told to.
        public @Nullable UUID toldOf() {
            var its = answered;
            return its == null ? null : its.bell.queue();
        }

        /// Says that the job is there and may not be given to its principal: the next one who waits, of a
        /// principal that has not said so, is woken.
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

    /// To be closed. It is woken by what comes from now on.
    ///
    /// @param holder its principal
    /// @param queue null: any
    /// @param habitat null: any
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

    /// Wakes one who waits for such a job.
    public void ring(Bell bell) {
        lock.lock();
        try {
            wake(new Call(bell, Set.of()), -1);
        } finally {
            lock.unlock();
        }
    }

    /// @param after looks at those only who came later than that one
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

    /// Wakes all: something may have been missed.
    void ringAll() {
        lock.lock();
        try {
            for (var waiting : lines.values().stream().flatMap(Set::stream).toList()) {
                waiting.tell(new Call(new Bell(waiting.line.organization(), null, null, false), Set.of()));
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
