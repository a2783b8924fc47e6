package dev.sheaf.client.testing;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The OAuth endpoints of a [TinyRegistry], with one session. Using a refresh token twice ends the session at
/// once.
public final class TinySessions {
    public static final String CODE = "BCDF-GHJK";
    private static final String TYPE = "urn:ietf:params:oauth:grant-type:device_code";

    private final Deque<String> refusals = new ArrayDeque<>();
    private final List<String> revoked = new ArrayList<>();
    private int interval = 5;
    private long lifetime = 900;
    private int generation;
    private boolean ended;

    /// Adds the endpoints to `registry`.
    public TinySessions(TinyRegistry registry) {
        registry.replace(
                "/.well-known/oauth-authorization-server", exchange -> json(exchange, 200, """
                        {"issuer": "http://elsewhere.test", "token_endpoint": "http://elsewhere.test/token",
                         "grant_types_supported": ["%s"]}""".formatted(TYPE)));
        registry.replace(
                "/v1/oauth/device_authorization",
                exchange -> json(exchange, 200, """
                        {"device_code": "shd_device", "user_code": "%s", "verification_uri": "%s/device",
                         "verification_uri_complete": "%s/device?user_code=%s", "expires_in": 600, "interval": %d}""".formatted(CODE, registry.url(), registry.url(), CODE, interval)));
        registry.replace("/v1/oauth/token", this::token);
        registry.replace("/v1/oauth/revoke", exchange -> {
            revoked.add(String.valueOf(fields(exchange).get("token")));
            json(exchange, 200, "{}");
        });
    }

    /// Sets the errors for the next polls.
    public synchronized TinySessions refusing(String... errors) {
        refusals.addAll(List.of(errors));
        return this;
    }

    /// Sets the polling interval in seconds.
    public TinySessions every(int seconds) {
        interval = seconds;
        return this;
    }

    /// Sets the lifetime of new access tokens in seconds.
    public synchronized void lifetime(long seconds) {
        lifetime = seconds;
    }

    /// Returns the number of renewals so far.
    public synchronized int renewals() {
        return Math.max(0, generation - 1);
    }

    public List<String> revoked() {
        return List.copyOf(revoked);
    }

    public synchronized void end() {
        ended = true;
    }

    /// Returns the valid access token.
    public synchronized String access() {
        return "access" + generation;
    }

    private synchronized void token(HttpExchange exchange) throws IOException {
        var fields = fields(exchange);
        if (TYPE.equals(fields.get("grant_type"))) {
            String refusal = refusals.poll();
            if (refusal != null) {
                refuse(exchange, refusal);
                return;
            }
        } else if (ended || !("shr_" + generation).equals(fields.get("refresh_token"))) {
            ended = true;
            refuse(exchange, "invalid_grant");
            return;
        }
        generation++;
        json(exchange, 200, """
                {"access_token": "access%d", "token_type": "Bearer", "expires_in": %d, "refresh_token": "shr_%d"}""".formatted(generation, lifetime, generation));
    }

    private static void refuse(HttpExchange exchange, String error) throws IOException {
        json(exchange, 400, """
                {"error": "%s", "error_description": "because of %s"}""".formatted(error, error));
    }

    private static void json(HttpExchange exchange, int status, String text) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        TinyRegistry.send(exchange, status, text.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, String> fields(HttpExchange exchange) throws IOException {
        var fields = new LinkedHashMap<String, String>();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Arrays.stream(body.split("&"))
                .map(field -> field.split("=", 2))
                .forEach(field -> fields.put(field[0], URLDecoder.decode(field[1], StandardCharsets.UTF_8)));
        return fields;
    }
}
