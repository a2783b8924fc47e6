package dev.sheaf.model.key;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/// A secret value that cannot be printed by accident: `toString` is a constant, `equals` takes constant time
/// for equal lengths, and only [#expose] returns the text.
public final class Secret {
    private final String value;

    private Secret(String value) {
        this.value = value;
    }

    /// Returns the secret with this text.
    public static Secret of(String value) {
        return new Secret(value);
    }

    /// Returns the secret itself, for the code that sends or hashes it.
    public String expose() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret
                && MessageDigest.isEqual(
                        value.getBytes(StandardCharsets.UTF_8), secret.value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int hashCode() {
        return 0; // a hash would leak; never use a secret as a map key
    }

    @Override
    public String toString() {
        return "[secret]";
    }
}
