package dev.sheaf.server.org.quota;

import java.util.UUID;
import java.util.function.BooleanSupplier;

/// Room in an organization's quota for content that is on its way to this node, kept as its bytes come and given back
/// at the end. The transaction that makes them the organization's asks the rows again, so it is given back before.
/// For one thread.
public final class QuotaReservation implements AutoCloseable {
    private final Quotas quotas;
    private final UUID organizationId;
    private long taken;

    QuotaReservation(Quotas quotas, UUID organizationId) {
        this.quotas = quotas;
        this.organizationId = organizationId;
    }

    /// Keeps room for so many bytes in all.
    ///
    /// @param isHeld whether the repository holds this content already, so that it takes nothing; asked where there
    /// is no room
    /// @throws dev.sheaf.model.ProblemException quota-exceeded, or payload-too-large where it could never have room
    public void grow(long bytes, BooleanSupplier isHeld) {
        long more = bytes - taken;
        if (more <= 0) {
            return;
        }
        if (quotas.take(organizationId, more)) {
            taken = bytes;
        } else if (!isHeld.getAsBoolean()) {
            quotas.admit(organizationId, Amounts.ofBytes(more)); // which looks anew, and mostly refuses
            taken = quotas.take(organizationId, more) ? bytes : taken;
        }
    }

    /// Gives the room back; a second time does nothing.
    @Override
    public void close() {
        if (taken > 0) {
            quotas.give(organizationId, taken);
            taken = 0;
        }
    }
}
