package dev.sheaf.server.ops;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.admin.ModeRecord;
import dev.sheaf.model.wire.admin.NodeHealth;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The health of a node, part by part. A node is unready only if a part fails that other nodes do not share.
/// Otherwise a load balancer would remove all nodes. Each part is checked at most every few seconds, on its own
/// thread, and counts as failed if it does not answer within two seconds. Until then its last result counts.
/// An answer comes soon, because load balancers wait for a second or so and then think that the node is dead.
/// Thread-safe.
public final class Health {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final String STOPPING = "shutdown";

    private final List<Part> parts;
    private final Supplier<@Nullable ModeRecord> mode;
    private final InstantSource clock;
    private final Duration patience;
    private volatile boolean leaving;

    /// Checks one part of a node.
    public interface Question {
        /// Returns a description of the fault; empty if the part works.
        ///
        /// @throws RuntimeException if the part cannot be reached
        Optional<String> ask();
    }

    /// A part of a node.
    ///
    /// @param needed returns whether the node is unready without this part; otherwise it is only degraded
    /// @param fresh how long a result is reused; zero for a check that never waits, and runs each time
    /// @param about says what the part is and has, for administrators; empty if there is nothing to say. It
    /// runs after each check, on the same thread
    public record Check(
            String name, BooleanSupplier needed, Duration fresh, Question question, Supplier<String> about) {
        public Check(String name, BooleanSupplier needed, Duration fresh, Question question) {
            this(name, needed, fresh, question, () -> "");
        }

        public Check(String name, boolean needed, Duration fresh, Question question) {
            this(name, () -> needed, fresh, question);
        }

        /// Returns the check with words about its part.
        public Check about(Supplier<String> words) {
            return new Check(name, needed, fresh, question, words);
        }

        private Result run() {
            Optional<String> fault;
            try {
                fault = question.ask();
            } catch (ProblemException e) {
                fault = Optional.of(e.problem().detail());
            }
            return new Result(fault, words());
        }

        private String words() {
            try {
                return about.get();
            } catch (RuntimeException e) {
                return ""; // the check itself says what is wrong
            }
        }
    }

    /// @param fault empty if the part works
    private record Result(Optional<String> fault, String about) {}

    /// @param mode returns whether the node is read-only, without waiting; null if that is not known yet
    /// @param clock says when a part began to fail or to work again
    public Health(List<Check> checks, Supplier<@Nullable ModeRecord> mode, InstantSource clock) {
        this(checks, mode, clock, PATIENCE, LIMIT);
    }

    /// @param patience how long to wait for parts that have an earlier result
    /// @param limit after which time a part counts as failed
    Health(
            List<Check> checks,
            Supplier<@Nullable ModeRecord> mode,
            InstantSource clock,
            Duration patience,
            Duration limit) {
        this.mode = mode;
        this.clock = clock;
        this.patience = patience;
        this.parts = checks.stream().map(check -> new Part(check, limit)).toList();
    }

    /// Makes the node unready from now on, because it will stop.
    public void leave() {
        leaving = true;
    }

    /// Returns the name of the first part whose failure makes the node unready; empty if the node is ready.
    public Optional<String> fault() {
        if (leaving) {
            return Optional.of(STOPPING);
        }
        return states(part -> part.check.needed().getAsBoolean()).stream()
                .filter(state -> state.detail() != null)
                .map(NodeHealth.Part::name)
                .findFirst();
    }

    public NodeHealth report() {
        var states = states(part -> true);
        var failed = states.stream().filter(state -> state.detail() != null).toList();
        boolean down = leaving || failed.stream().anyMatch(NodeHealth.Part::needed);
        return new NodeHealth(down ? "down" : failed.isEmpty() ? "up" : "degraded", states, mode.get());
    }

    /// Checks all parts at the same time, so that several slow parts cost only one wait.
    private List<NodeHealth.Part> states(Predicate<Part> which) {
        var asked = parts.stream().filter(which).toList();
        asked.forEach(Part::ask);
        long end = System.nanoTime() + patience.toNanos();
        return asked.stream().map(part -> part.state(end)).toList();
    }

    private final class Part {
        private final Check check;
        private final Duration limit;
        private @Nullable Asked last;
        private boolean works = true;
        private Instant since = clock.instant();

        /// @param at when the check began, as in [System#nanoTime]
        /// @param before the result of the check before
        private record Asked(
                CompletableFuture<Result> answer,
                long at,
                @Nullable CompletableFuture<Result> before) {}

        Part(Check check, Duration limit) {
            this.check = check;
            this.limit = limit;
        }

        /// @param patience the end of the wait if there is an earlier result, as in [System#nanoTime]
        NodeHealth.Part state(long patience) {
            var result = result(patience);
            String fault = result.fault().orElse(null);
            return new NodeHealth.Part(
                    check.name(),
                    fault == null ? "up" : "down",
                    check.needed().getAsBoolean(),
                    fault,
                    result.about().isEmpty() ? null : result.about(),
                    since(fault == null));
        }

        private synchronized Instant since(boolean worksNow) {
            if (works != worksNow) {
                works = worksNow;
                since = clock.instant();
            }
            return since;
        }

        private Result result(long patience) {
            var asked = ask();
            var before = asked.before();
            long late = asked.at() + limit.toNanos();
            try {
                long end = before == null ? Math.max(late, patience) : patience;
                asked.answer().get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                return before != null && System.nanoTime() < late
                        ? result(before)
                        : failed("it does not answer within " + limit.toSeconds() + " seconds");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return failed("the question was interrupted");
            } catch (ExecutionException e) {
                // the result says so
            }
            return result(asked.answer());
        }

        /// @param answer one that is there
        private static Result result(CompletableFuture<Result> answer) {
            if (!answer.isCompletedExceptionally()) {
                return answer.join();
            }
            return failed(
                    answer.exceptionNow() instanceof ProblemException problem
                            ? problem.problem().detail()
                            : "it cannot be reached");
        }

        private static Result failed(String fault) {
            return new Result(Optional.of(fault), "");
        }

        /// Starts the check, unless a fresh result exists or one is running. A part that hangs blocks only its
        /// own thread.
        synchronized Asked ask() {
            long now = System.nanoTime();
            var asked = last;
            if (check.fresh().isZero()) {
                return new Asked(CompletableFuture.completedFuture(check.run()), now, null);
            }
            if (asked == null
                    || asked.answer().isDone()
                            && now - asked.at() >= check.fresh().toNanos()) {
                var answer = CompletableFuture.supplyAsync(
                        check::run,
                        work -> Thread.ofPlatform().name("health").daemon().start(work));
                asked = new Asked(answer, now, asked == null ? null : asked.answer());
                last = asked;
            }
            return asked;
        }
    }
}
