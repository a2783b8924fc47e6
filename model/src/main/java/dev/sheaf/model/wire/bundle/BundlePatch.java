package dev.sheaf.model.wire.bundle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A change of a bundle's metadata (contract 3.3, a merge patch). A null member leaves its value unchanged.
public record BundlePatch(
        @Nullable String license,
        @Nullable List<String> keywords,
        @Nullable String readmeContent,
        @Nullable String readmeFormat) {}
