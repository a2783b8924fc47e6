package dev.sheaf.client.credentials;

import dev.sheaf.model.key.Secret;
import java.util.Map;
import java.util.Optional;

/// The operating system's store of secrets, or none.
public interface Keychain {
    /// A machine without one.
    Keychain NONE = new Keychain() {
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
            return Optional.of("no session bus runs (DBUS_SESSION_BUS_ADDRESS is not set)");
        }
    };

    /// The user's keyring: Keychain on macOS, Credential Manager on Windows, Secret Service or KWallet elsewhere.
    /// Those two are reached over the session's D-Bus, so without one there is nothing to ask, which costs no time.
    static Keychain ofThisUser(Map<String, String> environment, String platform) {
        boolean desktop = platform.startsWith("Mac") || platform.startsWith("Windows");
        String bus = environment.getOrDefault("DBUS_SESSION_BUS_ADDRESS", "");
        return desktop || !bus.isEmpty() ? new SystemKeychain() : NONE;
    }

    /// The secret, or empty where there is none or the keyring cannot be asked.
    Optional<Secret> find(String service, String account);

    /// Keeps the secret in place of an earlier one. False where the keyring does not take it.
    boolean store(String service, String account, Secret secret);

    /// Forgets the secret. False where there was none or the keyring cannot be asked.
    boolean remove(String service, String account);

    /// Why nothing can be kept here, as a phrase for people; empty where something can.
    default Optional<String> unavailable() {
        return Optional.empty();
    }
}
