package dev.sheaf.server.webhook;

import java.util.Locale;

/// Why a webhook is sent nothing.
enum Disabled {
    /// An admin said so.
    MANUALLY,
    /// The receiver answered 410.
    GONE,
    /// Nothing was delivered for five days.
    FAILING;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
