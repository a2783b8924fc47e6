package dev.sheaf.model.wire.admin;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An entry of the audit log (contract 5.5).
///
/// @param at when it happened
/// @param action a dotted word such as `version.publish`; `call.refused` for what was refused
/// @param outcome `success` or `denied`
/// @param count how many that were alike it stands for
/// @param seq its place in the chain; null for a moment, until it is sealed
/// @param hash over itself and all before it, as hex; null likewise
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
    /// Who did it.
    ///
    /// @param type `key`, `user`, `publisher` or `system`
    /// @param id of the key, the user, the trusted publisher
    /// @param name a key's name and hint, a user's e-mail address, a run
    public record Actor(String type, @Nullable String id, String name) {}
}
