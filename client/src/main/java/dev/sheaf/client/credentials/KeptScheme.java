package dev.sheaf.client.credentials;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.model.key.Secret;
import java.nio.file.Path;

/// Remembers the scheme for which a host's key or session was kept, beside the credentials file. The names of
/// keyring entries and folders hold only host and port, and what was kept for https must not leave in clear text
/// because somebody wrote `http://` with the same host and port. What was put there by other means has no such note
/// and is used for both.
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

    /// The secret, which was found for the registry.
    ///
    /// @throws SheafException.Local where it was kept for the other scheme
    Secret checked(Secret found) {
        var kept = note.find();
        if (kept.isPresent() && !kept.get().expose().equals(registry.scheme())) {
            throw new SheafException.Local(
                    "what is kept for " + registry.authority() + " was kept for the other of http and https, so it is"
                            + " not sent to " + registry + ". To log in there: sheaf login --url " + registry,
                    null);
        }
        return found;
    }
}
