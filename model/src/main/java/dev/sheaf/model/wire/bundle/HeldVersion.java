package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import java.util.UUID;

/// The answer to a push that waits for approval: there is no version yet.
///
/// @param detail what happened and what to do, for people
public record HeldVersion(String namespace, String bundle, String version, String digest, Held review, String detail) {
    /// @param url the page of the review in the console
    /// @param state `held`
    /// @param round see [ReviewRecord]
    public record Held(UUID id, String url, String state, int round, Instant expiresAt) {}
}
