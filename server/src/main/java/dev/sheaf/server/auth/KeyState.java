package dev.sheaf.server.auth;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.text.WireWords;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The state of an API key; see [KeyLife#state].
public enum KeyState {
    ACTIVE(null),
    /// Works until its end; another key has replaced it.
    RETIRING(null),
    DISABLED(CredentialFault.DISABLED),
    EXPIRED(CredentialFault.EXPIRED),
    REVOKED(CredentialFault.REVOKED);

    private final @Nullable CredentialFault fault;

    KeyState(@Nullable CredentialFault fault) {
        this.fault = fault;
    }

    /// Returns why the key cannot be used; empty if it works.
    public Optional<CredentialFault> fault() {
        return Optional.ofNullable(fault);
    }

    /// Returns whether the key will never work again.
    public boolean isOver() {
        return this == EXPIRED || this == REVOKED;
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed for an unknown state
    public static KeyState parse(String word) {
        return WireWords.find(KeyState.class, word)
                .orElseThrow(() -> Problem.invalid("unknown", WireWords.oneOf(KeyState.class)));
    }

    /// Returns the name in the API.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
