package dev.sheaf.server.work;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Schedules one kind of work on this node: running turns, waiting pieces, and the time of the next look.
/// Thread-safe.
final class Turns {
    /// A turn that has run for this long makes room for others.
    private static final Duration FAIR = Duration.ofSeconds(1);

    private final String kind;
    private final int atOnce;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Turn> running = new HashMap<>();
    private final Map<String, Turn> following = new HashMap<>(); // start when the running turn has ended
    private final Map<String, String> waiting = new LinkedHashMap<>(); // names and their owners
    private @Nullable Instant look;
    private boolean stopped;

    Turns(String kind, int atOnce, InstantSource clock) {
        this.kind = kind;
        this.atOnce = atOnce;
        this.clock = clock;
    }

    /// Notifies the running turn, or queues one.
    void wake(String name, String owner) {
        lock.lock();
        try {
            var its = following.getOrDefault(name, running.get(name));
            if (its != null) {
                its.ask();
            } else if (!stopped) {
                waiting.put(name, owner);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    void lookAt(Instant at) {
        lock.lock();
        try {
            if (look == null || at.isBefore(look)) {
                look = at;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits until something can start, it is time to look, or the time has passed.
    ///
    /// @return false once nothing may start any more
    boolean await(Duration longest) {
        lock.lock();
        try {
            long end = System.nanoTime() + longest.toNanos();
            long left = Math.min(end - System.nanoTime(), untilNext());
            while (left > 0 && !stopped) {
                changed.awaitNanos(left);
                left = Math.min(end - System.nanoTime(), untilNext());
            }
            return !stopped;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private long untilNext() {
        if (running.size() >= atOnce) {
            makeRoom();
            return waiting.isEmpty() ? Long.MAX_VALUE : FAIR.toNanos();
        }
        return waiting.isEmpty() ? untilLook() : 0;
    }

    private long untilLook() {
        if (look == null) {
            return Long.MAX_VALUE;
        }
        var left = Duration.between(clock.instant(), look);
        return left.isPositive() ? TimeUnit.NANOSECONDS.convert(left) : 0;
    }

    /// Ends turns that have used up their time, if others wait.
    private void makeRoom() {
        running.values().stream()
                .filter(turn -> turn.isOlder(FAIR))
                .limit(waiting.size())
                .forEach(Turn::end);
    }

    /// Returns how many due pieces may start now; 0 if it is not time to look. The caller must then look.
    int room() {
        lock.lock();
        try {
            int room = atOnce - running.size();
            if (stopped || room <= 0 || untilLook() > 0) {
                return 0;
            }
            look = null;
            return room;
        } finally {
            lock.unlock();
        }
    }

    /// Starts as many of the waiting pieces as there is room for. The owner with the fewest running comes
    /// first.
    List<Turn> beginWaiting() {
        lock.lock();
        try {
            var begun = new ArrayList<Turn>();
            var counts = new HashMap<String, Integer>();
            running.values().forEach(turn -> counts.merge(turn.owner(), 1, Integer::sum));
            while (!stopped && running.size() < atOnce && !waiting.isEmpty()) {
                var next = waiting.entrySet().stream()
                        .min(Comparator.comparing(entry -> counts.getOrDefault(entry.getValue(), 0)))
                        .orElseThrow();
                var turn = new Turn(kind, next.getKey(), next.getValue(), UUID.randomUUID());
                waiting.remove(turn.name());
                running.put(turn.name(), turn);
                counts.merge(turn.owner(), 1, Integer::sum);
                begun.add(turn);
            }
            return begun;
        } finally {
            lock.unlock();
        }
    }

    /// Starts a turn that was taken. Empty if an older turn, which has lost the piece, still runs here, or
    /// nothing may start any more.
    Optional<Turn> begin(Turn turn) {
        lock.lock();
        try {
            var lost = running.get(turn.name());
            if (lost != null) {
                lost.lose();
            }
            if (lost != null || stopped) {
                return Optional.empty();
            }
            waiting.remove(turn.name());
            running.put(turn.name(), turn);
            return Optional.of(turn);
        } finally {
            lock.unlock();
        }
    }

    /// Starts a turn that was taken after the running one released the piece. Empty if that one has not ended
    /// yet; then [#end] returns the new one.
    Optional<Turn> follow(Turn turn) {
        lock.lock();
        try {
            if (!running.containsKey(turn.name())) {
                return begin(turn);
            }
            following.put(turn.name(), turn);
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    /// Ends a turn. Work that was announced meanwhile waits for another turn.
    ///
    /// @param held whether this node ever had the turn
    /// @return the turn to start next
    Optional<Turn> end(Turn turn, boolean held) {
        lock.lock();
        try {
            running.remove(turn.name(), turn);
            changed.signalAll();
            var next = following.remove(turn.name());
            if (next != null) {
                return begin(next);
            }
            if (held && turn.wasAsked() && !stopped) {
                waiting.put(turn.name(), turn.owner());
            }
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    List<Turn> running() {
        lock.lock();
        try {
            return List.copyOf(running.values());
        } finally {
            lock.unlock();
        }
    }

    /// Ends running turns at their next step, and lets nothing start any more.
    void stop() {
        lock.lock();
        try {
            stopped = true;
            running.values().forEach(Turn::stop);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until nothing runs.
    ///
    /// @return false if that took longer
    boolean awaitEnd(Duration longest) {
        lock.lock();
        try {
            long left = longest.toNanos();
            while (!running.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return running.isEmpty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }
}
