package dev.sheaf.model.wire.bundle;

import org.jspecify.annotations.Nullable;

/// The request to set a tag (contract 3.6). On the wire `isProtected` is `protected`, which is a Java keyword.
///
/// @param expectedVersion the version that the tag must point to now; null means any
/// @param isProtected null leaves the protection unchanged
public record TagRequest(
        String version,
        @Nullable String expectedVersion,
        @Nullable Boolean isProtected) {}
