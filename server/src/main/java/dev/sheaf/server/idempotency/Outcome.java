package dev.sheaf.server.idempotency;

import org.jspecify.annotations.Nullable;

/// What a request was answered, as far as it is told again.
///
/// @param location the header Location
/// @param body JSON; empty where there was none, or it was too large to be kept. The array is not copied: do not
/// change it
/// @param reference the path at which what was too large can be read
public record Outcome(
        int status,
        @Nullable String location,
        byte[] body,
        @Nullable String reference) {
    @Override
    public String toString() {
        return "Outcome[" + status + ", " + body.length + " bytes]";
    }
}
