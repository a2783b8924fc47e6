package dev.sheaf.server.org.directory;

import java.util.Locale;

/// The state of an offer.
enum TransferState {
    PENDING,
    EXPIRED,
    ACCEPTED,
    /// The receiver ended it.
    DECLINED,
    /// The giver ended it.
    CANCELLED;

    /// Returns the word that is stored and shown.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
