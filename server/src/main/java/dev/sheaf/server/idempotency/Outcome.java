package dev.sheaf.server.idempotency;

import org.jspecify.annotations.Nullable;

/// The answer of a request, as far as it is repeated.
///
/// @param location the header Location
/// @param body JSON; empty if there was none or it was too large to store. The array is not copied: do not modify
/// it
/// @param reference the path at which an answer that was too large can be read
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
