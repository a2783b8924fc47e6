package dev.sheaf.model.key;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/// A secret value. It does not show itself: `toString` is a constant, `equals` takes constant time for equal
/// lengths, and only [#expose] gives the text.
public final class Secret {
    private final String value;

    private Secret(String value) {
        this.value = value;
    }

    public static Secret of(String value) {
        return new Secret(value);
    }

    /// The secret itself; for the one place that sends or hashes it.
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
        return 0; // a hash would leak; a secret is no map key
    }

    @Override
    public String toString() {
        return "[secret]";
    }
}
