package dev.sheaf.client.credentials;

import dev.sheaf.model.key.Secret;
import java.util.Optional;

/// A keyring that is always unavailable.
///
/// @param reason a phrase for people
record NoKeychain(String reason) implements Keychain {
    @Override
    public Optional<Secret> find(String service, String account) {
        return Optional.empty();
    }

    @Override
    public boolean store(String service, String account, Secret secret) {
        return false;
    }

    @Override
    public boolean remove(String service, String account) {
        return false;
    }

    @Override
    public Optional<String> unavailable() {
        return Optional.of(reason);
    }
}
