package dev.sheaf.client.credentials;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.key.Secret;
import java.nio.file.Path;

/// Records the scheme for which a key or session was stored, next to the credentials file. The names of keyring
/// entries and folders contain only host and port, and a secret stored for https must not be sent in clear text
/// because someone wrote `http://` with the same host and port. A secret that another program stored has no
/// record and is used for both schemes.
final class KeptScheme {
    private final CredentialFile note;
    private final RegistryUrl registry;

    KeptScheme(Path folder, RegistryUrl registry) {
        this.note = new CredentialFile(folder, "scheme");
        this.registry = registry;
    }

    void note() {
        note.store(Secret.of(registry.scheme()));
    }

    /// Returns the secret that was found for the registry.
    ///
    /// @throws SheafException.Local if it was stored for the other scheme
    Secret checked(Secret found) {
        var kept = note.find();
        if (kept.isPresent() && !kept.get().expose().equals(registry.scheme())) {
            throw new SheafException.Local(
                    "the credential for " + registry.authority()
                            + " was stored for another scheme (http or https), so it is not sent to " + registry
                            + "; log in there, or store its key again",
                    null);
        }
        return found;
    }
}
