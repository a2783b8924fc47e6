package dev.sheaf.server.rate;

/// A rate limit: a number of requests in any window, which is usually a minute. After a window without requests, the
/// whole quota may be used in a burst.
///
/// @param name the name in the `RateLimit` fields
/// @param quota the requests per window; 0 means no limit
public record RatePolicy(String name, long quota, long windowSeconds) {
    public static final long WINDOW_SECONDS = 60;

    public RatePolicy(String name, long quota) {
        this(name, quota, WINDOW_SECONDS);
    }

    public boolean isOff() {
        return quota == 0;
    }

    /// Returns the value for `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
    public String field() {
        return "\"" + name + "\";q=" + quota + ";w=" + windowSeconds;
    }
}
