package dev.sheaf.server.rate;

/// A rate limit: a number of requests in any minute. After a minute without requests, the whole quota may be
/// used in a burst.
///
/// @param name the name in the `RateLimit` fields
/// @param quota the requests per minute; 0 means no limit
public record RatePolicy(String name, long quota) {
    public static final long WINDOW_SECONDS = 60;

    public boolean isOff() {
        return quota == 0;
    }

    /// Returns the value for `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
    public String field() {
        return "\"" + name + "\";q=" + quota + ";w=" + WINDOW_SECONDS;
    }
}
