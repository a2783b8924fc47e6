package dev.sheaf.server.queue.crash;

import dev.sheaf.server.queue.crash.CrashingNodes.Answer;
import dev.sheaf.server.queue.crash.HeldJobs.End;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A worker with a key of its own. Most jobs it does; now and then it dies in the middle, is silent for too long, or
/// ends the connection before it has its answer.
final class CrashWorker implements Callable<Integer> {
    static final int LEASE = 5; // seconds; the shortest that may be asked for
    private static final Duration GRACE = Duration.ofSeconds(LEASE);

    private final Place place;
    private final int number;
    private final String key;
    private final Random random;

    /// Where all of them work.
    ///
    /// @param queue its id
    /// @param rarely in how many jobs a worker is silent for too long, which takes its time
    record Place(
            CrashingNodes nodes,
            String queue,
            HeldJobs held,
            InstantSource clock,
            int rarely,
            BooleanSupplier isOver) {}

    /// @param number which of them it is
    CrashWorker(Place place, int number, String key, long seed) {
        this.place = place;
        this.number = number;
        this.key = key;
        this.random = new Random(seed + number);
    }

    private boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    @Override
    public Integer call() throws InterruptedException {
        int done = 0;
        while (!place.isOver().getAsBoolean()) {
            done += next() ? 1 : 0;
        }
        return done;
    }

    private boolean next() throws InterruptedException {
        String path = "/v1/runner/jobs:claim?wait_timeout_seconds=" + random.nextInt(3);
        String body = "{\"queueId\": \"%s\", \"leaseDurationMs\": %d}".formatted(place.queue(), LEASE * 1_000);
        if (oneIn(30)) {
            place.held().count("claims cut off");
            place.nodes().cut(path, key, body);
            return false;
        }
        var answer = place.nodes().once("POST", path, key, body, "");
        if (answer.isEmpty()) {
            place.held().count("claims without an answer");
            CrashingNodes.pause();
            return false;
        }
        if (answer.get().status() != 200) {
            expect(answer.get(), "claim", 204);
            return false;
        }
        var job = answer.get().json().get("job");
        var id = UUID.fromString(job.get("id").stringValue());
        var by = new End(number, job.get("attemptNumber").asInt());
        var until = until(job.get("heartbeatDeadlineAt").stringValue());
        place.held().begin(id, by, until);
        return work(id, by, until);
    }

    private static Instant until(String lease) {
        return Instant.parse(lease).plus(GRACE);
    }

    private void expect(Answer answer, String what, int status) {
        if (answer.status() != status) {
            place.held().violated(what + " is answered " + answer.status() + " " + answer.text());
        }
    }

    private boolean work(UUID id, End by, Instant until) throws InterruptedException {
        if (oneIn(30)) {
            place.held().count("workers that died when they had claimed");
            return false;
        }
        if (oneIn(40)) {
            return gaveBack(id, by, "release", "{}", "released");
        }
        var renewed = renewed(id, by, "start");
        if (renewed != null && oneIn(8)) {
            renewed = renewed(id, by, "heartbeat");
        }
        if (renewed == null) {
            return false;
        }
        if (oneIn(30)) {
            place.held().count("workers that died while they ran");
            return false;
        }
        if (oneIn(25)) {
            return gaveBack(id, by, "fail", "{\"errorCode\": \"oops\", \"shouldRetry\": true}", "failed");
        }
        return complete(id, by, renewed.isAfter(until) ? renewed : until);
    }

    /// Until when nobody else may have the job; null where it is lost.
    private @Nullable Instant renewed(UUID id, End by, String verb) throws InterruptedException {
        var answer = place.nodes().post("/v1/runner/jobs/" + id + ":" + verb, key, "{}");
        if (isLost(id, by, answer, verb)) {
            return null;
        }
        expect(answer, verb, 200);
        var until = until(answer.json().get("heartbeatDeadlineAt").stringValue());
        place.held().renew(id, by, until);
        return until;
    }

    /// A refusal is right where the lease is over, and only there.
    private boolean isLost(UUID id, End by, Answer answer, String verb) {
        if (answer.status() != 409) {
            return false;
        }
        place.held().refused(id, by, verb);
        return true;
    }

    /// Gives it back. Where an answer is lost, somebody else may have the job when this is said again.
    private boolean gaveBack(UUID id, End by, String verb, String body, String count) throws InterruptedException {
        place.held().end(id, by);
        var answer = place.nodes().post("/v1/runner/jobs/" + id + ":" + verb, key, body);
        if (answer.status() == 409) {
            place.held().count("refused: " + verb);
        } else {
            expect(answer, verb, 200);
            place.held().count(count);
        }
        return false;
    }

    private boolean complete(UUID id, End by, Instant until) throws InterruptedException {
        String path = "/v1/runner/jobs/" + id + ":complete";
        String body = "{\"outputData\": {\"worker\": %d, \"attempt\": %d}}".formatted(number, by.attempt());
        if (oneIn(30)) {
            place.held().count("completes cut off");
            place.held().maybeCompleted(id, by);
            place.nodes().cut(path, key, body);
            return false;
        }
        if (oneIn(place.rarely())) {
            place.held().count("workers silent for too long");
            while (place.clock().instant().isBefore(until.plusSeconds(1))) {
                CrashingNodes.pause();
            }
        }
        var answer = place.nodes().post(path, key, body);
        if (isLost(id, by, answer, "complete")) {
            return false;
        }
        expect(answer, "complete", 200);
        place.held().completed(id, by);
        return true;
    }
}
