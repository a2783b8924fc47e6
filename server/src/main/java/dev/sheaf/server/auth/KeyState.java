package dev.sheaf.server.auth;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.CredentialFault;
import dev.sheaf.model.text.Words;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What becomes of an API key; see [KeyLife#state].
public enum KeyState {
    ACTIVE(null),
    /// It works until it ends, and another has taken its place.
    RETIRING(null),
    DISABLED(CredentialFault.DISABLED),
    EXPIRED(CredentialFault.EXPIRED),
    REVOKED(CredentialFault.REVOKED);

    private final @Nullable CredentialFault fault;

    KeyState(@Nullable CredentialFault fault) {
        this.fault = fault;
    }

    /// Why the key is of no use, or empty where it works.
    public Optional<CredentialFault> fault() {
        return Optional.ofNullable(fault);
    }

    /// Whether it never works again.
    public boolean isOver() {
        return this == EXPIRED || this == REVOKED;
    }

    /// @throws dev.sheaf.model.ProblemException validation-failed for what is no state
    public static KeyState parse(String word) {
        return Words.find(KeyState.class, word)
                .orElseThrow(() -> Problem.invalid("unknown", Words.oneOf(KeyState.class)));
    }

    /// The word of the API.
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
