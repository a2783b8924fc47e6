package dev.sheaf.server.queue.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.server.queue.QueueRow;
import dev.sheaf.server.queue.job.JobRow;
import dev.sheaf.server.testing.Databases;
import dev.sheaf.server.testing.SettableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What becomes of jobs, held against a model in memory over random operations of several workers, with the clock
/// moved.
@Timeout(120)
class JobModelTest {
    private static final int STEPS = Integer.getInteger("sheaf.model", 1_500);
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final List<String> KEYS = List.of("a", "b");

    @TempDir
    private Path folder;

    private final SettableClock clock = new SettableClock();
    private final Random random = new Random(Long.getLong("sheaf.seed", System.nanoTime()));

    /// A job as it should be.
    private static final class Expected {
        final UUID id;
        final long headStart; // in milliseconds
        final @Nullable String key;
        final @Nullable String dedupe;
        String state;

        @Nullable
        Instant due;

        int attempt;
        int last;

        @Nullable
        UUID holder; // who may report on it

        @Nullable
        Instant lease;

        @Nullable
        Instant started;

        String lastOutcome = "";

        @Nullable
        UUID lastHolder;

        final Map<UUID, Instant> hidden = new HashMap<>();
        final Map<UUID, Integer> releases = new HashMap<>();
        long place;

        Expected(UUID id, Instant due, long headStart, @Nullable String key, @Nullable String dedupe, int last) {
            this.id = id;
            this.headStart = headStart;
            this.place = due.toEpochMilli() - headStart;
            this.key = key;
            this.dedupe = dedupe;
            this.last = last;
            this.state = "queued";
        }

        boolean isHeld() {
            return state.equals("claimed") || state.equals("running");
        }

        boolean isFinished() {
            return List.of("completed", "failed", "dead", "cancelled").contains(state);
        }

        void end(String outcome, @Nullable UUID by) {
            lastOutcome = outcome;
            lastHolder = by;
        }
    }

    private final Map<UUID, Expected> model = new LinkedHashMap<>();
    private final List<UUID> workers =
            IntStream.range(0, 16).mapToObj(i -> UUID.randomUUID()).toList();
    private int maxRunning;

    @ParameterizedTest
    @EnumSource
    void jobsAreAsTheModelSays(Databases.Kind kind) throws Exception {
        try (var database = kind.open(folder, clock);
                var cpu = new CpuPool(2)) {
            maxRunning = random.nextBoolean() ? 0 : 5;
            var its = new QueueFixture(database, QueueFixture.organization(database), folder, cpu);
            var queue = its.queue(
                    workers.getFirst(), """
                    {"name": "Model", "maxAttempts": 3, "leaseSeconds": 10, "timeoutSeconds": 60,
                     "retry": {"baseSeconds": 5, "capSeconds": 5}%s}
                    """.formatted(maxRunning == 0 ? "" : ", \"maxRunning\": " + maxRunning));
            for (int step = 0; step < STEPS; step++) {
                step(its, queue);
            }
            check(its);
        }
    }

    private void step(QueueFixture its, QueueRow queue) {
        var worker = workers.get(random.nextInt(workers.size()));
        switch (random.nextInt(12)) {
            case 0, 1 -> enqueue(its, queue, worker);
            case 2, 3, 4 -> claim(its, queue, worker);
            case 5 -> clock(its, random.nextInt(4) == 0 ? 25 : 3);
            case 6 -> verb(worker, "start", id -> its.leases.start(its.said(worker, id)));
            case 7 -> verb(worker, "heartbeat", id -> its.leases.heartbeat(its.said(worker, id)));
            case 8 -> verb(worker, "complete", id -> its.leases.complete(its.said(worker, id), null));
            case 9 -> {
                boolean again = random.nextInt(4) > 0;
                verb(
                        worker,
                        again ? "retry" : "fail",
                        id -> its.leases.fail(its.said(worker, id), JobRow.Failure.NONE, again));
            }
            case 10 -> verb(worker, "release", id -> its.leases.release(its.said(worker, id)));
            default -> manage(its, worker);
        }
        if (random.nextInt(50) == 0) {
            check(its);
        }
    }

    private void enqueue(QueueFixture its, QueueRow queue, UUID worker) {
        String key = random.nextInt(3) == 0 ? KEYS.get(random.nextInt(2)) : null;
        String dedupe = random.nextInt(4) == 0 ? "d" + random.nextInt(3) : null;
        int delay = random.nextInt(4) == 0 ? 1 + random.nextInt(20) : 0;
        boolean urgent = random.nextInt(5) == 0;
        var json = new StringBuilder("{\"delaySeconds\": " + delay);
        json.append(key == null ? "" : ", \"concurrencyKey\": \"" + key + "\"");
        json.append(dedupe == null ? "" : ", \"dedupeKey\": \"" + dedupe + "\"");
        json.append(urgent ? ", \"priority\": \"urgent\"}" : "}");
        var live = model.values().stream()
                .filter(job -> dedupe != null && dedupe.equals(job.dedupe) && !job.isFinished())
                .findFirst();

        var made = its.enqueue(worker, queue, json.toString());

        if (live.isPresent()) {
            assertThat(made.id()).isEqualTo(live.get().id);
            return;
        }
        var due = clock.instant().plusSeconds(delay);
        var expected = new Expected(made.id(), due, urgent ? 3_600_000 : 0, key, dedupe, 3);
        if (delay > 0) {
            expected.state = "scheduled";
            expected.due = due;
        }
        model.put(made.id(), expected);
    }

    private boolean isKeyHeld(@Nullable String key) {
        return key != null && model.values().stream().anyMatch(job -> job.isHeld() && key.equals(job.key));
    }

    private void claim(QueueFixture its, QueueRow queue, UUID worker) {
        var now = clock.instant();
        boolean isFull = maxRunning > 0
                && model.values().stream().filter(Expected::isHeld).count() >= maxRunning;
        var next = model.values().stream()
                .filter(job -> job.state.equals("queued") && !isFull && !isKeyHeld(job.key))
                .filter(job -> !job.hidden.getOrDefault(worker, Instant.MIN).isAfter(now))
                .min(Comparator.comparingLong((Expected job) -> job.place).thenComparing(job -> job.id.toString()));

        var claimed = its.claim(worker, queue);

        assertThat(claimed.map(job -> job.id())).isEqualTo(next.map(job -> job.id));
        next.ifPresent(job -> {
            job.state = "claimed";
            job.attempt++;
            job.holder = worker;
            job.lease = now;
            job.started = null;
            assertThat(claimed.orElseThrow().attemptNumber()).isEqualTo(job.attempt);
        });
    }

    /// Time passes, and the node looks at what is due.
    private void clock(QueueFixture its, int seconds) {
        clock.advance(Duration.ofSeconds(seconds));
        var now = clock.instant();
        for (var job : model.values()) {
            if (job.state.equals("scheduled")
                    && !Objects.requireNonNull(job.due).isAfter(now)) {
                job.state = "queued";
                job.due = null;
            } else if (job.isHeld() && !deadline(job).isAfter(now)) {
                boolean tooLong =
                        job.started != null && !job.started.plus(TIMEOUT).isAfter(now);
                job.end(tooLong ? "timed-out" : "lost", job.holder);
                job.state = job.attempt < job.last ? "queued" : "dead";
            }
        }

        its.clock.doDue();
    }

    private static Instant deadline(Expected job) {
        var given = Objects.requireNonNull(job.lease).plus(LEASE.multipliedBy(2));
        var end = job.started == null ? given : job.started.plus(TIMEOUT);
        return end.isBefore(given) ? end : given;
    }

    private interface Call {
        Object of(UUID id);
    }

    /// A verb of a worker on a job that it once claimed, or on any.
    private void verb(UUID worker, String verb, Call call) {
        var own = model.values().stream()
                .filter(job -> worker.equals(job.holder) || worker.equals(job.lastHolder) || random.nextInt(20) == 0)
                .toList();
        if (own.isEmpty()) {
            return;
        }
        var job = own.get(random.nextInt(own.size()));
        boolean isMine = worker.equals(job.holder);
        boolean isHeld = job.isHeld() && isMine;
        boolean isLate = !job.isHeld() && isMine;
        boolean was = !job.isHeld() && worker.equals(job.lastHolder);
        boolean may = switch (verb) {
            case "start" -> isHeld;
            case "heartbeat" -> isHeld || was && job.state.equals("cancelled") && job.lastOutcome.equals("cancelled");
            case "complete" -> isHeld || isLate || was && job.lastOutcome.equals("completed");
            case "retry", "fail" -> isHeld || isLate || was && job.lastOutcome.equals("failed");
            default -> isHeld || was && job.lastOutcome.equals("released");
        };

        var refused = refusal(() -> call.of(job.id));

        assertThat(refused.isEmpty())
                .as(verb + " of " + job.state + " " + job.lastOutcome)
                .isEqualTo(may);
        refused.ifPresent(problem -> assertThat(problem).isInstanceOf(Problem.LeaseLost.class));
        if (may && (isHeld || isLate)) {
            apply(job, verb, worker);
            if (random.nextInt(3) == 0 && !verb.equals("start") && !verb.equals("heartbeat")) {
                assertThat(refusal(() -> call.of(job.id))).as("the same again").isEmpty();
            }
        }
    }

    private void apply(Expected job, String verb, UUID worker) {
        var now = clock.instant();
        switch (verb) {
            case "start" -> {
                if (job.state.equals("claimed")) {
                    job.state = "running";
                    job.started = now;
                    job.lease = now;
                }
            }
            case "heartbeat" -> job.lease = now;
            case "complete" -> finish(job, "completed", "completed", worker);
            case "fail" -> finish(job, "failed", "failed", worker);
            case "retry" -> {
                if (job.attempt >= job.last) {
                    finish(job, "dead", "failed", worker);
                } else {
                    job.state = "scheduled";
                    job.due = now.plusSeconds(5);
                    job.place = job.due.toEpochMilli() - job.headStart;
                    job.holder = null;
                    job.end("failed", worker);
                }
            }
            default -> {
                job.state = "queued";
                job.attempt--;
                job.holder = null;
                job.end("released", worker);
                int times = job.releases.merge(worker, 1, Integer::sum) - 1;
                job.hidden.put(worker, now.plusSeconds(Math.min(900, 30L << Math.min(times, 5))));
            }
        }
    }

    private static void finish(Expected job, String state, String outcome, UUID worker) {
        job.state = state;
        job.due = null;
        job.holder = null;
        job.end(outcome, worker);
    }

    private void manage(QueueFixture its, UUID worker) {
        var all = new ArrayList<>(model.values());
        if (all.isEmpty()) {
            return;
        }
        var job = all.get(random.nextInt(all.size()));
        if (random.nextBoolean()) {
            var refused = refusal(() -> its.jobs.cancel(its.origin(worker), job.id));
            assertThat(refused.isEmpty()).isEqualTo(!job.isFinished() || job.state.equals("cancelled"));
            if (!job.isFinished()) {
                if (job.isHeld()) {
                    job.end("cancelled", job.holder);
                }
                job.state = "cancelled";
                job.due = null;
                job.holder = null;
            }
        } else {
            boolean clashes = model.values().stream()
                    .anyMatch(other -> job.dedupe != null && job.dedupe.equals(other.dedupe) && !other.isFinished());
            boolean may = List.of("failed", "dead", "cancelled").contains(job.state) && !clashes;
            var refused = refusal(() -> its.jobs.retry(its.origin(worker), job.id));
            assertThat(refused.isEmpty()).as("retry of " + job.state).isEqualTo(may);
            if (may) {
                job.state = "queued";
                job.holder = null;
                job.last = job.attempt + 3;
                job.place = clock.instant().toEpochMilli() - job.headStart;
            }
        }
    }

    private static Optional<Problem> refusal(Runnable call) {
        try {
            call.run();
            return Optional.empty();
        } catch (ProblemException e) {
            return Optional.of(e.problem());
        }
    }

    /// Every job is as expected, and so are the sums.
    private void check(QueueFixture its) {
        var caller = its.caller(workers.getFirst());
        var sums = new HashMap<String, Long>();
        for (var job : model.values()) {
            var shown = its.jobs.get(caller, job.id, false, bytes -> {});
            assertThat(shown.status() + " " + shown.attemptNumber()).isEqualTo(job.state + " " + job.attempt);
            sums.merge(job.state, 1L, Long::sum);
        }
        var counts = its.queues.get(caller, "model").counts();
        assertThat(Map.of(
                        "queued", counts.queued(),
                        "scheduled", counts.scheduled(),
                        "claimed", counts.claimed(),
                        "running", counts.running(),
                        "completed", counts.completed(),
                        "failed", counts.failed(),
                        "dead", counts.dead(),
                        "cancelled", counts.cancelled()))
                .allSatisfy((state, count) -> assertThat(count).as(state).isEqualTo(sums.getOrDefault(state, 0L)));
    }
}
