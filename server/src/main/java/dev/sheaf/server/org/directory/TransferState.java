package dev.sheaf.server.org.directory;

import java.util.Locale;

/// What becomes of an offer.
enum TransferState {
    PENDING,
    EXPIRED,
    ACCEPTED,
    /// By the receiver.
    DECLINED,
    /// By the giver.
    CANCELLED;

    /// The word that is stored and shown.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
