package dev.sheaf.server.http.message;

/// Names of headers that are read for every request.
public final class ReadHeaders {
    public static final String REQUEST_ID = "X-Request-Id";
    public static final String TRACE_ID = "X-Trace-Id";
    public static final String TRACEPARENT = "traceparent";
    public static final String IF_NONE_MATCH = "If-None-Match";

    /// The expiry of the key that was used (contract 5.1).
    public static final String KEY_EXPIRING = "X-API-Key-Expiring";
    public static final String RATE_LIMIT = "RateLimit";
    public static final String RATE_LIMIT_POLICY = "RateLimit-Policy";

    private ReadHeaders() {}
}
