package dev.sheaf.server.audit;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A stored audit entry.
///
/// @param seq number in the chain, from 1 without gaps; null until it is sealed, within about a second
/// @param hash over this entry and the previous hash, in hex
/// @param at the start of its transaction, by the database's clock
public record AuditRow(
        UUID id, @Nullable Long seq, @Nullable String hash, AuditEntry entry, Instant at) {}
