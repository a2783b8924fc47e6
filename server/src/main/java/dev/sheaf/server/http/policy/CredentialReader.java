package dev.sheaf.server.http.policy;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.key.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// Reads the header Authorization: Bearer (RFC 6750) on every surface, and Basic (RFC 7617) if the surface
/// allows it. The password of Basic is the key; the user name is ignored.
public final class CredentialReader {
    private CredentialReader() {}

    /// Returns the credential; empty if none was sent.
    ///
    /// @throws dev.sheaf.model.ProblemException unauthenticated (malformed): a malformed header never counts as
    /// anonymous
    public static Optional<Secret> read(List<String> authorization, boolean basicAllowed) {
        if (authorization.isEmpty()) {
            return Optional.empty();
        }
        if (authorization.size() > 1) {
            throw malformed("the request has more than one Authorization header; send one");
        }
        String value = authorization.getFirst().strip();
        int space = value.indexOf(' ');
        String scheme = space < 0 ? value : value.substring(0, space);
        String rest = space < 0 ? "" : value.substring(space + 1).strip();
        if (scheme.equalsIgnoreCase("Bearer") && !rest.isEmpty()) {
            return Optional.of(Secret.of(rest));
        }
        if (scheme.equalsIgnoreCase("Basic") && basicAllowed) {
            return Optional.of(password(rest));
        }
        throw malformed("the Authorization header is malformed; send Bearer and an API key");
    }

    private static Secret password(String base64) {
        try {
            String pair = new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            if (colon >= 0 && colon < pair.length() - 1) {
                return Secret.of(pair.substring(colon + 1));
            }
        } catch (IllegalArgumentException e) {
            // reported below
        }
        throw malformed("the Basic credential is malformed; send any user name and the API key as password");
    }

    private static RuntimeException malformed(String detail) {
        return new Problem.Unauthenticated(CredentialFault.MALFORMED, detail).raise();
    }
}
