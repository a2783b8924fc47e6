package dev.sheaf.server.rate;

/// A rate limit: so many requests in any minute, and the whole quota at once after a minute's rest.
///
/// @param name as it stands in the `RateLimit` fields
/// @param quota requests a minute; 0: no limit
public record Policy(String name, long quota) {
    public static final long WINDOW_SECONDS = 60;

    public boolean isOff() {
        return quota == 0;
    }

    /// As it stands in `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
    public String field() {
        return "\"" + name + "\";q=" + quota + ";w=" + WINDOW_SECONDS;
    }
}
