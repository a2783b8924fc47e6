package dev.sheaf.server.bundle;

import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A bundle as it is stored; who owns and sees it stands on its repository.
public record BundleRow(
        UUID id,
        Profile profile,
        Source sourceType,
        @Nullable String deprecationMessage,
        @Nullable String deprecationReplacement,
        Instant createdAt,
        @Nullable Instant updatedAt) {
    /// How the bundle came to be.
    public enum Source {
        /// By the push of a version or a manifest.
        REGISTRY,
        /// Without a version.
        CONSOLE;

        /// The word on the wire.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public @Nullable Deprecation deprecation() {
        return Deprecation.of(deprecationMessage, deprecationReplacement);
    }
}
