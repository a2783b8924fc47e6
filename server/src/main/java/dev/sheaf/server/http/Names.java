package dev.sheaf.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;

/// Header names that are looked at on every request, made once.
final class Names {
    static final HeaderName REQUEST_ID = HeaderNames.create("X-Request-Id");
    static final HeaderName TRACE_ID = HeaderNames.create("X-Trace-Id");
    static final HeaderName TRACEPARENT = HeaderNames.create("traceparent");
    static final HeaderName IF_NONE_MATCH = HeaderNames.create("If-None-Match");

    /// When the key that was used ends (contract 5.1).
    static final String KEY_EXPIRING = "X-API-Key-Expiring";
    static final HeaderName RATE_LIMIT = HeaderNames.create("RateLimit");
    static final HeaderName RATE_LIMIT_POLICY = HeaderNames.create("RateLimit-Policy");

    private Names() {}
}
