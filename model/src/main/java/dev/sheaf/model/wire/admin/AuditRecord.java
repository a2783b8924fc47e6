package dev.sheaf.model.wire.admin;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An entry of the audit log (contract 5.5).
///
/// @param at when it happened
/// @param action a dotted name such as `version.publish`; `call.refused` for refused requests
/// @param outcome `success` or `denied`
/// @param count the number of similar events that the entry summarizes
/// @param seq the entry's number in the chain; null until it is sealed, shortly after it was written
/// @param hash the hash of this entry and all earlier entries, as hex; null until the entry is sealed
public record AuditRecord(
        UUID id,
        Instant at,
        Actor actor,
        String action,
        String subject,
        String outcome,
        @Nullable String detail,
        long count,
        @Nullable String address,
        @Nullable String requestId,
        @Nullable Long seq,
        @Nullable String hash) {
    /// The author of an action.
    ///
    /// @param type `key`, `user`, `publisher` or `system`
    /// @param id the id of the key, the user or the trusted publisher
    /// @param name a key's name and hint, a user's e-mail address, or a CI run
    public record Actor(String type, @Nullable String id, String name) {}
}
