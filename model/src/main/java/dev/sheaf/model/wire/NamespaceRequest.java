package dev.sheaf.model.wire;

import org.jspecify.annotations.Nullable;

/// The body that claims a namespace. `handle` is the name in paths and references; `displayName` defaults to it.
public record NamespaceRequest(String handle, @Nullable String displayName) {}
