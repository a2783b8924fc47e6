package dev.sheaf.server.auth;

import java.util.UUID;

/// Who changes something, from where, in which request: what the audit log remembers of a change.
public record Origin(Caller.Known caller, String address, String requestId) {
    public UUID organizationId() {
        return caller.organizationId();
    }

    public String actor() {
        return caller.actor();
    }
}
