package dev.sheaf.server.audit;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An entry as it stands in the log.
///
/// @param seq its place in the chain, from 1 without a gap; null for a moment, until it is sealed
/// @param hash over itself and what stands before it in the chain, as hex
/// @param at when its transaction began, by the database's clock
public record AuditRow(
        UUID id, @Nullable Long seq, @Nullable String hash, AuditEntry entry, Instant at) {}
