package dev.sheaf.server.identity;

import dev.sheaf.model.key.Scope;
import dev.sheaf.model.text.Unicode;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import java.util.UUID;

/// The source of a request whose sender is not known yet.
///
/// @param device the name that the program reports, at most [#MAX_DEVICE] characters
public record SignInSource(String address, String device, String requestId) {
    public static final int MAX_DEVICE = 200;

    public SignInSource {
        String showable = Unicode.isWellFormed(device) ? device.replaceAll("\\p{C}", "") : "";
        device = showable.length() > MAX_DEVICE ? showable.substring(0, MAX_DEVICE) : showable;
    }

    /// Returns the origin for the audit log, once the sender is known.
    public ChangeOrigin origin(Credential credential, UUID organization) {
        return new ChangeOrigin(
                new Caller.Known(credential, organization, Scope.READ, CredentialRestrictions.NONE, Grant.ALL, null),
                address,
                requestId);
    }
}
