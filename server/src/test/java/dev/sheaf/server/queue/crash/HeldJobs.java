package dev.sheaf.server.queue.crash;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// What the workers know: who holds which job, which of them ended one, and what must not have been. Thread-safe.
final class HeldJobs {
    private static final int MOST_VIOLATIONS = 100;

    private final InstantSource clock;
    private final Map<UUID, Hold> holds = new ConcurrentHashMap<>();
    private final Map<UUID, End> ends = new ConcurrentHashMap<>();
    private final Map<UUID, Queue<End>> doubtful = new ConcurrentHashMap<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    HeldJobs(InstantSource clock) {
        this.clock = clock;
    }

    /// Somebody has a job.
    ///
    /// @param until before that nobody else may have it
    private record Hold(End by, Instant until) {}

    /// A try of a job.
    record End(int worker, int attempt) {}

    /// A worker was given a job.
    void begin(UUID job, End by, Instant until) {
        var before = holds.put(job, new Hold(by, until));
        if (before != null && before.until().isAfter(clock.instant())) {
            violated(job + " was given to " + by + " while " + before + " has it");
        }
        count("claimed");
    }

    /// Its lease was renewed.
    void renew(UUID job, End by, Instant until) {
        holds.computeIfPresent(job, (same, hold) -> hold.by().equals(by) ? new Hold(by, until) : hold);
    }

    /// A worker gives it up, and says so next.
    void end(UUID job, End by) {
        holds.computeIfPresent(job, (same, hold) -> hold.by().equals(by) ? null : hold);
    }

    /// The service told a worker that it does not hold the job.
    void refused(UUID job, End by, String verb) {
        var hold = holds.get(job);
        if (hold != null && hold.by().equals(by) && hold.until().isAfter(clock.instant())) {
            violated(verb + " of " + job + " was refused to " + by + ", which has it until " + hold.until());
        }
        end(job, by);
        count("refused: " + verb);
    }

    /// The service told a worker that the job is completed.
    void completed(UUID job, End by) {
        end(job, by);
        var other = ends.putIfAbsent(job, by);
        if (other != null) {
            violated(job + " was completed by " + by + " and by " + other);
        }
        count("completed");
    }

    /// A worker does not know whether the service heard it complete the job.
    void maybeCompleted(UUID job, End by) {
        doubtful.computeIfAbsent(job, first -> new ConcurrentLinkedQueue<>()).add(by);
    }

    /// Whether, by what the workers know, that was the end of the job.
    boolean mayHaveEnded(UUID job, End by) {
        @Nullable End known = ends.get(job);
        if (known != null) {
            return known.equals(by);
        }
        var maybe = doubtful.get(job);
        return maybe != null && maybe.contains(by);
    }

    void violated(String what) {
        if (violations.size() < MOST_VIOLATIONS) {
            violations.add(what);
        }
        count("VIOLATIONS");
    }

    Queue<String> violations() {
        return violations;
    }

    void count(String what) {
        counts.computeIfAbsent(what, first -> new LongAdder()).increment();
    }

    long counted(String what) {
        var counted = counts.get(what);
        return counted == null ? 0 : counted.sum();
    }

    /// How often each thing came to pass.
    Map<String, Long> counts() {
        var all = new TreeMap<String, Long>();
        counts.forEach((what, count) -> all.put(what, count.sum()));
        return all;
    }
}
