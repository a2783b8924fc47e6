package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A tag (contract 3.6). On the wire `isProtected` is `protected`, which is a Java keyword.
///
/// @param version the version that the tag points to; empty if it points to a manifest that is not a version
/// @param managed whether the registry moves the tag itself
public record TagStatus(
        String name,
        String version,
        String digest,
        boolean isProtected,
        boolean managed,
        Instant updatedAt,
        @Nullable String updatedBy) {}
