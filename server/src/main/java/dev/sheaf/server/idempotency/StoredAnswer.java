package dev.sheaf.server.idempotency;

import org.jspecify.annotations.Nullable;

/// The stored parts of the answer to a request.
///
/// @param location the header Location
/// @param body JSON; empty if the answer had no body or a body too large to store. The array is not copied, so
/// it must not be modified
/// @param reference the path at which a body that was too large can be read; otherwise null
public record StoredAnswer(
        int status,
        @Nullable String location,
        byte[] body,
        @Nullable String reference) {
    @Override
    public String toString() {
        return "Outcome[" + status + ", " + body.length + " bytes]";
    }
}
