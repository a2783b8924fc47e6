package dev.sheaf.client.credentials;

import dev.sheaf.model.key.Secret;
import java.util.Map;
import java.util.Optional;

/// The operating system's keyring. It may be unavailable.
public interface Keychain {
    /// A keyring that is always unavailable.
    Keychain NONE = new NoKeychain("there is no session bus (DBUS_SESSION_BUS_ADDRESS is not set)");

    /// Returns the user's keyring: Keychain on macOS, Credential Manager on Windows, Secret Service or KWallet
    /// elsewhere. Secret Service and KWallet need the session's D-Bus; without it, returns [#NONE]. All need the
    /// library java-keyring, which the SDK does not bring: without it, the result is always unavailable.
    static Keychain ofThisUser(Map<String, String> environment, String platform) {
        boolean desktop = platform.startsWith("Mac") || platform.startsWith("Windows");
        String bus = environment.getOrDefault("DBUS_SESSION_BUS_ADDRESS", "");
        return desktop || !bus.isEmpty() ? SystemKeychain.orNone() : NONE;
    }

    /// Returns the secret; empty if it does not exist or the keyring is unavailable.
    Optional<Secret> find(String service, String account);

    /// Stores a secret, replacing an earlier one. Returns false if the keyring does not accept it.
    boolean store(String service, String account, Secret secret);

    /// Removes a secret. Returns false if it did not exist or the keyring is unavailable.
    boolean remove(String service, String account);

    /// Returns the reason why nothing can be stored, as a phrase for people; empty if the keyring works.
    default Optional<String> unavailable() {
        return Optional.empty();
    }
}
