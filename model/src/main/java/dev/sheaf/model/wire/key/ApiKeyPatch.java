package dev.sheaf.model.wire.key;

import org.jspecify.annotations.Nullable;

/// What to change of a key (contract 5.1); null means it stays.
public record ApiKeyPatch(
        @Nullable String name,
        @Nullable String description,
        @Nullable Boolean disabled) {}
