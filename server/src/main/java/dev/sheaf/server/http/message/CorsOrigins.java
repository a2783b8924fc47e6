package dev.sheaf.server.http.message;

import dev.sheaf.engine.http.ResponseHead;
import java.util.List;
import java.util.Optional;

/// The web origins whose pages may call the API from a browser (WHATWG Fetch, "CORS protocol"). Off unless origins
/// are configured.
///
/// @param origins such as `https://app.example.org`; `*` alone allows every origin, but no credentials in
/// cookies
public record CorsOrigins(List<String> origins) {
    public static final CorsOrigins OFF = new CorsOrigins(List.of());

    private static final String MAX_AGE_SECONDS = "600";
    private static final String EXPOSED =
            "ETag, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id, X-Trace-Id,"
                    + " Content-Digest, Repr-Digest, Docker-Content-Digest, Idempotency-Replayed, Warning,"
                    + " X-API-Key-Expiring";
    private static final String SENT = "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match,"
            + " If-Range, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Prefer, Range, X-Request-Id, traceparent";

    public CorsOrigins {
        origins = List.copyOf(origins);
    }

    private boolean isAny() {
        return origins.equals(List.of("*"));
    }

    /// Adds the headers that let pages of an allowed origin read the answer.
    public void apply(Call call, ResponseHead response) {
        if (origins.isEmpty()) {
            return;
        }
        if (!isAny()) {
            response.add("Vary", "Origin"); // the answer differs between origins
        }
        allowed(call).ifPresent(origin -> {
            response.set("Access-Control-Allow-Origin", origin);
            response.set("Access-Control-Expose-Headers", EXPOSED);
            if (!isAny()) {
                response.set("Access-Control-Allow-Credentials", "true");
            }
        });
    }

    /// Returns the allowed origin for the header; empty if the origin is not allowed or was not sent.
    private Optional<String> allowed(Call call) {
        return call.header("Origin")
                .flatMap(sent -> isAny()
                        ? Optional.of("*")
                        : origins.stream().filter(sent::equals).findFirst());
    }

    /// Returns the answer to a preflight request; empty if this is not one.
    public Optional<Answer> preflight(Call call, List<String> methods) {
        boolean asks = call.method().equals("OPTIONS")
                && call.header("Access-Control-Request-Method").isPresent();
        return asks && allowed(call).isPresent()
                ? Optional.of(Answer.empty(204)
                        .with("Access-Control-Allow-Methods", String.join(", ", methods))
                        .with("Access-Control-Allow-Headers", SENT)
                        .with("Access-Control-Max-Age", MAX_AGE_SECONDS))
                : Optional.empty();
    }
}
