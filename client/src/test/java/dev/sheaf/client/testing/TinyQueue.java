package dev.sheaf.client.testing;

import com.sun.net.httpserver.HttpExchange;
import dev.sheaf.client.io.WireJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The API for workers, answered from memory, for answers that a real registry only gives when something goes
/// wrong. Plugged into a [TinyRegistry].
public final class TinyQueue {
    private static final String QUEUES = """
            {"data": [{"id": "01900000-0000-7000-8000-0000000000aa", "slug": "checks", "name": "Checks", "status": "active",
                       "habitatId": "01900000-0000-7000-8000-0000000000bb"}],
             "meta": {"hasMore": false}}""";
    private static final String REGISTERED = """
            {"workerId": "01900000-0000-7000-8000-0000000000cc", "runnerId": "01900000-0000-7000-8000-0000000000dd",
             "heartbeatDeadlineAt": "2026-01-02T03:04:05Z", "heartbeatIntervalMs": 1000}""";

    /// A received call: the verb, the id of its subject, and its body.
    public record Seen(String verb, String id, JsonNode body) {}

    private final LinkedBlockingDeque<ObjectNode> waiting = new LinkedBlockingDeque<>();
    private final Map<String, ObjectNode> claimed = new ConcurrentHashMap<>();
    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private final Map<String, Deque<TinyRegistry.Answer>> odd = new ConcurrentHashMap<>();
    private volatile int leaseMillis = 45_000;
    private volatile long timeoutMillis = 60_000;
    private volatile Map<String, Object> more = Map.of();

    public TinyQueue(TinyRegistry registry) {
        registry.replace("/v1/runner/", this::answer);
    }

    /// Sets the lease of jobs that are claimed from now on.
    public void lease(int millis) {
        leaseMillis = millis;
    }

    public void timeout(long millis) {
        timeoutMillis = millis;
    }

    /// Sets further members of each execution.
    public void execution(Map<String, Object> members) {
        more = Map.copyOf(members);
    }

    /// Enqueues a job; returns its id.
    public String add(Object input) {
        String id = UUID.randomUUID().toString();
        var job = WireJson.object()
                .put("id", id)
                .put("jobType", "default")
                .put("status", "queued")
                .put("priority", "normal")
                .put("maxAttempts", 3)
                .put("createdAt", "2026-01-02T03:04:05Z");
        job.set("inputData", WireJson.tree(WireJson.write(input)));
        waiting.add(job);
        return id;
    }

    /// Answers the next call of this verb this way.
    public void next(String verb, TinyRegistry.Answer answer) {
        odd.computeIfAbsent(verb, name -> new ConcurrentLinkedDeque<>()).add(answer);
    }

    /// Returns the calls of a verb, in order of arrival.
    public List<Seen> seen(String verb) {
        return seen.stream().filter(call -> call.verb().equals(verb)).toList();
    }

    /// Returns the state of a claimed job.
    public String status(String id) {
        var job = claimed.get(id);
        return job == null ? "queued" : job.path("status").asString();
    }

    public void cancel(String id) {
        claimed.get(id).put("status", "cancelled");
    }

    /// Requeues a job as if its lease had expired.
    public void lose(String id) {
        var job = claimed.remove(id);
        waiting.add(job.put("status", "queued"));
    }

    /// Lets another worker with the same key claim a claimed job.
    public void again(String id) {
        var job = claimed.get(id);
        job.put("attemptNumber", job.path("attemptNumber").asInt() + 1);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath().substring("/v1/runner/".length());
        byte[] body = exchange.getRequestBody().readAllBytes();
        int colon = path.lastIndexOf(':');
        String verb = colon < 0
                ? path
                : path.startsWith("workers") ? "worker-" + path.substring(colon + 1) : path.substring(colon + 1);
        String id = colon < 0 ? "" : path.substring(path.indexOf('/') + 1, Math.max(path.indexOf('/') + 1, colon));
        var json = body.length == 0 ? WireJson.object() : WireJson.tree(body);
        seen.add(new Seen(verb, id, json == null ? WireJson.object() : json));
        var other = odd.getOrDefault(verb, new ConcurrentLinkedDeque<>());
        var answer = other.poll();
        if (answer != null) {
            answer.to(exchange);
            return;
        }
        switch (verb) {
            case "queues" -> send(exchange, 200, WireJson.tree(QUEUES.getBytes(StandardCharsets.UTF_8)));
            case "worker-register" -> send(exchange, 201, WireJson.tree(REGISTERED.getBytes(StandardCharsets.UTF_8)));
            case "worker-heartbeat" -> send(exchange, 200, Map.of("status", "online"));
            case "worker-deregister" -> send(exchange, 200, Map.of());
            case "claim" -> claim(exchange, json);
            default -> verb(exchange, verb, id, json);
        }
    }

    private void claim(HttpExchange exchange, @Nullable JsonNode body) throws IOException {
        int most = body == null ? 1 : Math.max(1, body.path("max").asInt(1));
        var given = new ArrayList<Map<String, Object>>();
        try {
            var first = waiting.poll(exchange.getRequestURI().getQuery().endsWith("=0") ? 0 : 2, TimeUnit.SECONDS);
            for (var job = first; job != null; job = given.size() < most ? waiting.poll() : null) {
                given.add(given(job));
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        if (given.isEmpty()) {
            exchange.sendResponseHeaders(204, -1);
        } else {
            send(exchange, 200, Map.of("jobs", given));
        }
    }

    private Map<String, Object> given(ObjectNode job) {
        var now = Instant.now();
        job.put("status", "claimed")
                .put("attemptNumber", job.path("attemptNumber").asInt(0) + 1)
                .put("claimedAt", now.toString())
                .put("heartbeatDeadlineAt", now.plusMillis(leaseMillis).toString());
        claimed.put(job.path("id").asString(), job);
        var claim = new LinkedHashMap<String, Object>();
        claim.put("job", job);
        if (job.path("inputData").has("template")) {
            claim.put("executionError", "prompt_error: line 1: no variable x");
            claim.put("executionFailure", Map.of("code", "prompt_error", "message", "line 1: no variable x"));
        } else {
            var execution = new LinkedHashMap<String, Object>();
            execution.put("harnessType", "shell");
            execution.put("renderedInstruction", "Do it.");
            execution.put("timeoutMs", timeoutMillis);
            execution.put("environment", Map.of());
            execution.putAll(more);
            claim.put("execution", execution);
        }
        return claim;
    }

    private void verb(HttpExchange exchange, String verb, String id, @Nullable JsonNode body) throws IOException {
        var job = claimed.get(id);
        if (job == null || (job.path("status").asString().equals("cancelled") && !verb.equals("heartbeat"))) {
            TinyRegistry.problem(exchange, 409, "lease-lost", "the job is no longer yours");
            return;
        }
        switch (verb) {
            case "start" -> job.put("status", "running");
            case "complete" -> job.put("status", "completed");
            case "fail" ->
                job.put("status", body != null && body.path("shouldRetry").asBoolean() ? "scheduled" : "failed");
            case "release" -> job.put("status", "queued");
            default -> {}
        }
        send(exchange, 200, job);
    }

    private static void send(HttpExchange exchange, int status, Object body) throws IOException {
        TinyRegistry.send(exchange, status, WireJson.line(body).getBytes(StandardCharsets.UTF_8));
    }
}
