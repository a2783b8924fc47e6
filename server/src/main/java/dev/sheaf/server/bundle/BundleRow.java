package dev.sheaf.server.bundle;

import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A bundle as stored. Its repository determines the owner and the visibility.
public record BundleRow(
        UUID id,
        BundleProfile profile,
        Source sourceType,
        @Nullable String deprecationMessage,
        @Nullable String deprecationReplacement,
        Instant createdAt,
        @Nullable Instant updatedAt) {
    /// The way in which the bundle was created.
    public enum Source {
        /// Created by the push of a version or a manifest.
        REGISTRY,
        /// Created without a version.
        CONSOLE;

        /// Returns the name in JSON.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public @Nullable DeprecationNotice deprecation() {
        return DeprecationNotice.of(deprecationMessage, deprecationReplacement);
    }
}
