package dev.sheaf.model.wire.bundle;

import org.jspecify.annotations.Nullable;

/// The body of a tag's PUT (contract 3.6). On the wire `isProtected` is `protected`, which no name in Java may be.
///
/// @param expectedVersion where the tag must point now; null: anywhere
/// @param isProtected null: as it was
public record TagRequest(
        String version,
        @Nullable String expectedVersion,
        @Nullable Boolean isProtected) {}
