package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A tag (contract 3.6). On the wire `isProtected` is `protected`, which no name in Java may be.
///
/// @param version the version it means; empty where it points to a manifest that is no version
/// @param managed true where the service keeps it
public record TagStatus(
        String name,
        String version,
        String digest,
        boolean isProtected,
        boolean managed,
        Instant updatedAt,
        @Nullable String updatedBy) {}
