package dev.sheaf.server.ops;

import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.admin.NodeHealth;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The health of a node, part by part. A node is unready only if a part fails that other nodes do not share.
/// Otherwise a load balancer would remove all nodes. Each part is checked at most every few seconds, on its own
/// thread, and counts as failed if it does not answer within two seconds. Thread-safe.
public final class Health {
    private static final long WAIT_SECONDS = 2;
    private static final String STOPPING = "shutdown";

    private final List<Part> parts;
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
    /// @param needed whether the node is unready without this part; otherwise it is only degraded
    /// @param fresh how long a result is reused; zero for a check that never waits, and runs each time
    public record Check(String name, boolean needed, Duration fresh, Question question) {}

    public Health(List<Check> checks) {
        this.parts = checks.stream().map(Part::new).toList();
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
        return states(part -> part.check.needed()).stream()
                .filter(state -> state.detail() != null)
                .map(NodeHealth.Part::name)
                .findFirst();
    }

    public NodeHealth report() {
        var states = states(part -> true);
        var failed = states.stream().filter(state -> state.detail() != null).toList();
        boolean down = leaving || failed.stream().anyMatch(NodeHealth.Part::needed);
        return new NodeHealth(down ? "down" : failed.isEmpty() ? "up" : "degraded", states);
    }

    /// Checks all parts at the same time, so that several slow parts cost only one wait.
    private List<NodeHealth.Part> states(Predicate<Part> which) {
        var asked = parts.stream().filter(which).toList();
        asked.forEach(Part::ask);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
        return asked.stream().map(part -> part.state(end)).toList();
    }

    private static final class Part {
        private final Check check;
        private @Nullable CompletableFuture<Optional<String>> answer;
        private long askedAt;

        Part(Check check) {
            this.check = check;
        }

        /// @param end the end of the wait, as in [System#nanoTime]
        NodeHealth.Part state(long end) {
            String fault = fault(end).orElse(null);
            return new NodeHealth.Part(check.name(), fault == null ? "up" : "down", check.needed(), fault);
        }

        private Optional<String> fault(long end) {
            try {
                return ask().get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                return Optional.of(
                        e.getCause() instanceof ProblemException problem
                                ? problem.problem().detail()
                                : "it cannot be reached");
            } catch (TimeoutException e) {
                return Optional.of("it does not answer within " + WAIT_SECONDS + " seconds");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.of("the question was interrupted");
            }
        }

        /// Starts the check, unless a fresh result exists or one is running. A part that hangs blocks only its
        /// own thread.
        synchronized CompletableFuture<Optional<String>> ask() {
            if (check.fresh().isZero()) {
                return CompletableFuture.completedFuture(check.question().ask());
            }
            long now = System.nanoTime();
            var last = answer;
            if (last != null && (!last.isDone() || now - askedAt < check.fresh().toNanos())) {
                return last;
            }
            askedAt = now;
            var asked = CompletableFuture.supplyAsync(
                    check.question()::ask,
                    work -> Thread.ofPlatform().name("health").daemon().start(work));
            answer = asked;
            return asked;
        }
    }
}
