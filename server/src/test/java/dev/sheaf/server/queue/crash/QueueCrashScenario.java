package dev.sheaf.server.queue.crash;

import dev.sheaf.server.queue.crash.HeldJobs.End;
import dev.sheaf.server.testing.Together;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Jobs are put in and done by workers while somebody else kills the nodes. At the end each was completed once, by its
/// last holder, and none is lost.
final class QueueCrashScenario {
    static final int WORKERS = 16;

    private static final String QUEUES = "/v1/organizations/default/queues";
    private static final int AT_ONCE = 100;
    private static final long LOOK_NANOS = 200_000_000;

    private final CrashingNodes nodes;
    private final String admin;
    private final InstantSource clock;
    private final int jobs;
    private final List<String> secrets = new ArrayList<>();
    private final List<String> principals = new ArrayList<>();
    private String queue = "";
    final HeldJobs held;

    QueueCrashScenario(CrashingNodes nodes, String admin, InstantSource clock, int jobs) {
        this.nodes = nodes;
        this.admin = admin;
        this.clock = clock;
        this.jobs = jobs;
        this.held = new HeldJobs(clock);
    }

    /// Makes the queue and the workers' keys, while no node ends yet.
    void prepare() throws InterruptedException {
        queue = made(QUEUES, """
                {"slug": "crash", "name": "Crash", "maxAttempts": 100, "leaseSeconds": 5,
                 "retry": {"baseSeconds": 1, "capSeconds": 1}}""").get("id").stringValue();
        for (int i = 0; i < WORKERS; i++) {
            var key = made("/v1/organizations/default/api-keys", """
                    {"name": "worker %d", "scopes": ["write"]}""".formatted(i));
            secrets.add(key.get("key").stringValue());
            principals.add(key.get("id").stringValue());
        }
    }

    /// @param rarely in how many jobs a worker is silent for too long
    /// @param isLate whether it takes too long
    void run(int rarely, BooleanSupplier isLate) throws InterruptedException, ExecutionException {
        var ids = enqueue();
        var isOver = new AtomicBoolean();
        var place = new CrashWorker.Place(nodes, queue, held, clock, rarely, isOver::get);
        long seed = ThreadLocalRandom.current().nextLong();
        Together.run(
                WORKERS + 1,
                i -> i == WORKERS ? () -> watch(isLate, isOver) : new CrashWorker(place, i, secrets.get(i), seed));
        check(ids);
    }

    private JsonNode made(String path, String json) throws InterruptedException {
        var answer = nodes.post(path, admin, json);
        if (answer.status() != 201) {
            throw new IllegalStateException(answer.text());
        }
        return answer.json();
    }

    /// Nobody works yet, so that a job whose answer is lost is still there when it is asked for again.
    private List<UUID> enqueue() throws InterruptedException {
        var ids = new ArrayList<UUID>();
        for (int from = 0; from < jobs; from += AT_ONCE) {
            var batch = new ArrayList<String>();
            for (int i = from; i < Math.min(jobs, from + AT_ONCE); i++) {
                batch.add("{\"inputData\": {\"n\": %d}, \"dedupeKey\": \"%d\"}".formatted(i, i));
            }
            var answer = nodes.post(QUEUES + "/" + queue + "/jobs", admin, "{\"jobs\": " + batch + "}");
            if (answer.status() > 201) {
                throw new IllegalStateException(answer.text());
            }
            answer.json()
                    .get("jobs")
                    .forEach(job -> ids.add(UUID.fromString(job.get("id").stringValue())));
        }
        return ids;
    }

    private int watch(BooleanSupplier isLate, AtomicBoolean isOver) throws InterruptedException {
        while (!isLate.getAsBoolean() && counts().get("completed").asLong() < jobs) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        isOver.set(true);
        return WORKERS;
    }

    private JsonNode counts() throws InterruptedException {
        return nodes.get(QUEUES + "/crash", admin).json().get("counts");
    }

    private void check(List<UUID> ids) throws InterruptedException, ExecutionException {
        if (ids.stream().distinct().count() != jobs) {
            held.violated(
                    jobs + " jobs were put in, and " + ids.stream().distinct().count() + " ids were told");
        }
        var counts = counts();
        counts.forEachEntry((state, count) -> {
            if (count.asLong() != (state.equals("completed") ? jobs : 0)) {
                held.violated(count + " of " + jobs + " jobs are " + state);
            }
        });
        Map<Integer, UUID> seen = new ConcurrentHashMap<>();
        Together.run(WORKERS, which -> () -> {
            for (int i = which; i < ids.size(); i += WORKERS) {
                var job = nodes.get("/v1/organizations/default/jobs/" + ids.get(i) + "?include=attempts", admin)
                        .json();
                var other = seen.put(job.at("/inputData/n").asInt(), ids.get(i));
                if (other != null) {
                    held.violated(other + " and " + ids.get(i) + " are the same job");
                }
                wrong(ids.get(i), job).forEach(what -> held.violated(job.get("id") + ": " + what + ": " + job));
            }
            return which;
        });
    }

    private List<String> wrong(UUID id, JsonNode job) {
        var wrong = new ArrayList<String>();
        int attempt = job.get("attemptNumber").asInt();
        if (!job.get("status").stringValue().equals("completed")) {
            wrong.add("it is not completed");
            return wrong;
        }
        var numbers = new ArrayList<Integer>();
        int completed = 0;
        @Nullable JsonNode last = null;
        for (var each : job.get("attempts")) {
            String outcome = each.get("outcome").stringValue();
            if (!outcome.equals("released")) {
                numbers.add(each.get("number").asInt());
            }
            completed += outcome.equals("completed") ? 1 : 0;
            last = each;
        }
        for (int i = 1; i <= Math.max(attempt, numbers.size()); i++) {
            if (numbers.size() < i || numbers.get(i - 1) != i || i > attempt) {
                wrong.add("its attempts are " + numbers + " and their number is " + attempt);
                break;
            }
        }
        var by = new End(
                job.at("/outputData/worker").asInt(-1),
                job.at("/outputData/attempt").asInt(-1));
        if (completed != 1 || last == null || !last.get("outcome").stringValue().equals("completed")) {
            wrong.add("it was not completed once, at last");
        } else if (by.attempt() != attempt || !last.get("holder").stringValue().endsWith(principals.get(by.worker()))) {
            wrong.add("it was not completed by its last holder");
        }
        if (!held.mayHaveEnded(id, by)) {
            wrong.add("its end is not what the workers know");
        }
        return wrong;
    }
}
