package dev.sheaf.model.wire.bundle;

import org.jspecify.annotations.Nullable;

/// A version to be judged, by its number, its digest, or both.
public record VerdictQuestion(
        String namespace,
        String bundle,
        @Nullable String version,
        @Nullable String digest) {}
