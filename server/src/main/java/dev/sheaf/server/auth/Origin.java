package dev.sheaf.server.auth;

import java.util.UUID;

/// Who changes something, from where, in which request: what the audit log remembers of a change.
public record Origin(Caller.Known caller, String address, String requestId) {
    public UUID organizationId() {
        return caller.organizationId();
    }

    /// The same in the audit log of that organization.
    public Origin in(UUID organization) {
        var there = new Caller.Known(
                caller.credential(),
                organization,
                caller.scope(),
                caller.restrictions(),
                caller.grant(),
                caller.endsAt());
        return new Origin(there, address, requestId);
    }

    public String actor() {
        return caller.actor();
    }
}
