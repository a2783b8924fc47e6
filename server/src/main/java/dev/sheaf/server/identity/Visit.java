package dev.sheaf.server.identity;

import dev.sheaf.model.key.Scope;
import dev.sheaf.model.text.Unicode;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.auth.Restrictions;
import java.util.UUID;

/// The source of a request whose sender is not known yet.
///
/// @param device the name that the program reports, at most [#MAX_DEVICE] characters
public record Visit(String address, String device, String requestId) {
    public static final int MAX_DEVICE = 200;

    public Visit {
        String showable = Unicode.isWellFormed(device) ? device.replaceAll("\\p{C}", "") : "";
        device = showable.length() > MAX_DEVICE ? showable.substring(0, MAX_DEVICE) : showable;
    }

    /// Returns the origin for the audit log, once the sender is known.
    public Origin origin(Credential credential, UUID organization) {
        return new Origin(
                new Caller.Known(credential, organization, Scope.READ, Restrictions.NONE, Grant.ALL, null),
                address,
                requestId);
    }
}
