package dev.sheaf.server.rate;

/// The rest of a policy's quota for a holder.
///
/// @param granted whether the request was granted
/// @param remaining how many requests are allowed now
/// @param waitSeconds whole seconds until the next request is allowed; 0 if it is allowed now
public record RateStanding(RatePolicy policy, boolean granted, long remaining, long waitSeconds) {
    /// Returns the whole seconds until the quota is full again.
    public long resetSeconds() {
        return Math.ceilDiv((policy.quota() - remaining) * policy.windowSeconds(), policy.quota());
    }

    /// Returns the value for `RateLimit` (draft-ietf-httpapi-ratelimit-headers).
    public String field() {
        return "\"" + policy.name() + "\";r=" + remaining + ";t=" + resetSeconds();
    }
}
