package dev.sheaf.server.rate;

/// How much of a policy's quota a holder has left.
///
/// @param granted whether what was asked for was taken
/// @param remaining requests that may come now
/// @param waitSeconds until the next one may, in whole seconds; 0 where it may now
public record RateStanding(Policy policy, boolean granted, long remaining, long waitSeconds) {
    /// Until the quota is whole again, in whole seconds.
    public long resetSeconds() {
        return Math.ceilDiv((policy.quota() - remaining) * Policy.WINDOW_SECONDS, policy.quota());
    }

    /// As it stands in `RateLimit` (draft-ietf-httpapi-ratelimit-headers).
    public String field() {
        return "\"" + policy.name() + "\";r=" + remaining + ";t=" + resetSeconds();
    }
}
