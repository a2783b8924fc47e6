package dev.sheaf.server.idempotency;

import org.jspecify.annotations.Nullable;

/// What a request was answered, as far as it is told again.
///
/// @param location the header Location
/// @param body JSON; empty where there was none. The array is not copied: do not change it
public record Outcome(int status, @Nullable String location, byte[] body) {
    @Override
    public String toString() {
        return "Outcome[" + status + ", " + body.length + " bytes]";
    }
}
