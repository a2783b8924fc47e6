package dev.sheaf.server.org.quota;

import java.util.UUID;
import java.util.function.BooleanSupplier;

/// Reserves room in an organization's quota for content that is being received, as its bytes arrive, and
/// releases it at the end. The room is released before the transaction that stores the content, because that
/// transaction checks the quota itself. For one thread.
public final class QuotaReservation implements AutoCloseable {
    private final QuotaCheck quotas;
    private final UUID organizationId;
    private long taken;

    QuotaReservation(QuotaCheck quotas, UUID organizationId) {
        this.quotas = quotas;
        this.organizationId = organizationId;
    }

    /// Reserves room for this many bytes in total.
    ///
    /// @param isHeld returns whether the repository contains this content already, which then needs no room;
    /// called only if there is no room
    /// @throws dev.sheaf.model.ProblemException quota-exceeded, or payload-too-large if it could never fit
    public void grow(long bytes, BooleanSupplier isHeld) {
        long more = bytes - taken;
        if (more <= 0) {
            return;
        }
        if (quotas.take(organizationId, more)) {
            taken = bytes;
        } else if (!isHeld.getAsBoolean()) {
            quotas.admit(organizationId, UsageAmounts.ofBytes(more)); // checks again, and usually refuses
            taken = quotas.take(organizationId, more) ? bytes : taken;
        }
    }

    /// Releases the room; a second call does nothing.
    @Override
    public void close() {
        if (taken > 0) {
            quotas.give(organizationId, taken);
            taken = 0;
        }
    }
}
