package dev.sheaf.model.wire.bundle;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A change of a bundle's description (contract 3.3, a merge patch). What is null stays as it is.
public record BundlePatch(
        @Nullable String license,
        @Nullable List<String> keywords,
        @Nullable String readmeContent,
        @Nullable String readmeFormat) {}
