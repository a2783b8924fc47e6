package dev.sheaf.server.bundle;

import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A bundle as stored. Its owner and visibility are those of its repository.
public record BundleRow(
        UUID id,
        Profile profile,
        Source sourceType,
        @Nullable String deprecationMessage,
        @Nullable String deprecationReplacement,
        Instant createdAt,
        @Nullable Instant updatedAt) {
    /// How the bundle was created.
    public enum Source {
        /// By the push of a version or a manifest.
        REGISTRY,
        /// Without a version.
        CONSOLE;

        /// Returns the name in JSON.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public @Nullable Deprecation deprecation() {
        return Deprecation.of(deprecationMessage, deprecationReplacement);
    }
}
