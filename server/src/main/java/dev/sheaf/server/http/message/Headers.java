package dev.sheaf.server.http.message;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;

/// Names of headers that are read for every request, created once.
public final class Headers {
    public static final HeaderName REQUEST_ID = HeaderNames.create("X-Request-Id");
    public static final HeaderName TRACE_ID = HeaderNames.create("X-Trace-Id");
    public static final HeaderName TRACEPARENT = HeaderNames.create("traceparent");
    public static final HeaderName IF_NONE_MATCH = HeaderNames.create("If-None-Match");

    /// The expiry of the key that was used (contract 5.1).
    public static final String KEY_EXPIRING = "X-API-Key-Expiring";
    public static final HeaderName RATE_LIMIT = HeaderNames.create("RateLimit");
    public static final HeaderName RATE_LIMIT_POLICY = HeaderNames.create("RateLimit-Policy");

    private Headers() {}
}
