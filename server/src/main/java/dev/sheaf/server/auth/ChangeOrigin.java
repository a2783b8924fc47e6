package dev.sheaf.server.auth;

import java.util.UUID;

/// The origin of a change, as recorded in the audit log: caller, address and request.
public record ChangeOrigin(Caller.Known caller, String address, String requestId) {
    public UUID organizationId() {
        return caller.organizationId();
    }

    /// Returns the same origin, recorded in the audit log of the given organization.
    public ChangeOrigin in(UUID organization) {
        var there = new Caller.Known(
                caller.credential(),
                organization,
                caller.scope(),
                caller.restrictions(),
                caller.grant(),
                caller.tokens(),
                caller.endsAt());
        return new ChangeOrigin(there, address, requestId);
    }

    public String actor() {
        return caller.actor();
    }
}
