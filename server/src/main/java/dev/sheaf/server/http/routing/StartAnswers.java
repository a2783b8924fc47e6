package dev.sheaf.server.http.routing;

import dev.sheaf.engine.http.HttpExchange;
import dev.sheaf.engine.http.HttpServer;
import dev.sheaf.engine.http.RequestIds;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.http.message.ReadHeaders;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Answers requests until the node can serve: the process lives, and its start waits for something. Then passes all
/// requests on. Thread-safe.
public final class StartAnswers implements HttpServer.Requests {
    private static final String LIVE = "/health/live";
    private static final String OCI = "/v2";
    private static final int RETRY_SECONDS = 5;
    private static final int MAX_INSTANCE = 500;

    private volatile String waitsFor = "the start";
    private volatile HttpServer.@Nullable Requests next;

    /// @param what such as "the database"; everybody can read it
    public void waitFor(String what) {
        waitsFor = what;
    }

    /// Passes all requests on from now on.
    public void serve(HttpServer.Requests requests) {
        next = requests;
    }

    @Override
    public void handle(HttpExchange exchange) {
        var its = next;
        if (its != null) {
            its.handle(exchange);
            return;
        }
        String path = exchange.target();
        boolean lives = path.equals(LIVE);
        boolean isOci = path.startsWith(OCI);
        var ids = RequestIds.of(null, null);
        var response = exchange.response();
        response.status(lives ? 200 : 503);
        response.set(ReadHeaders.REQUEST_ID, ids.requestId());
        response.set(ReadHeaders.TRACE_ID, ids.traceId());
        response.set("Cache-Control", "no-store");
        response.set("Connection", "close");
        response.set("Content-Type", lives || isOci ? "application/json" : "application/problem+json");
        if (!lives) {
            response.set("Retry-After", Integer.toString(RETRY_SECONDS));
        }
        exchange.send(Json.write(lives ? Map.of("status", "up") : isOci ? errors() : problem(path, ids)), true);
    }

    private String detail() {
        return "this node is not ready: waiting for " + waitsFor;
    }

    private Map<String, Object> errors() {
        return Map.of("errors", List.of(Map.of("code", "UNAVAILABLE", "message", detail())));
    }

    private Map<String, Object> problem(String path, RequestIds ids) {
        var members = new LinkedHashMap<String, Object>();
        members.put("type", "/problems/service-unavailable");
        members.put("title", "Service unavailable");
        members.put("status", 503);
        members.put("detail", detail());
        members.put("instance", path.substring(0, Math.min(path.length(), MAX_INSTANCE)));
        members.put("code", "service-unavailable");
        members.put("requestId", ids.requestId());
        members.put("retryAfterSeconds", RETRY_SECONDS);
        return members;
    }

    @Override
    public void leave() {
        var its = next;
        if (its != null) {
            its.leave();
        }
    }

    @Override
    public int drain(Duration limit) {
        var its = next;
        return its == null ? 0 : its.drain(limit);
    }
}
