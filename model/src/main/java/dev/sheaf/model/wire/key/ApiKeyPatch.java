package dev.sheaf.model.wire.key;

import org.jspecify.annotations.Nullable;

/// A change of a key (contract 5.1). A null member leaves its value unchanged.
public record ApiKeyPatch(
        @Nullable String name,
        @Nullable String description,
        @Nullable Boolean disabled) {}
