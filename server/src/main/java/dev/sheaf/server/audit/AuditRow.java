package dev.sheaf.server.audit;

import dev.sheaf.model.wire.admin.AuditRecord;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A stored audit entry.
///
/// @param seq number in the chain, from 1 without gaps; null until it is sealed, within about a second
/// @param hash over this entry and the previous hash, in hex
/// @param at the start of its transaction, by the database's clock
public record AuditRow(
        UUID id, @Nullable Long seq, @Nullable String hash, AuditEntry entry, Instant at) {
    /// Returns the entry in the form that is shown.
    public AuditRecord shown() {
        return new AuditRecord(
                id,
                at,
                actor(),
                entry.action(),
                entry.subject(),
                entry.outcome().toString(),
                entry.detail(),
                entry.times(),
                entry.address(),
                entry.requestId(),
                seq,
                hash);
    }

    private AuditRecord.Actor actor() {
        int colon = entry.actor().indexOf(':');
        return colon < 0
                ? new AuditRecord.Actor(entry.actor(), null, entry.actorName())
                : new AuditRecord.Actor(
                        entry.actor().substring(0, colon), entry.actor().substring(colon + 1), entry.actorName());
    }
}
