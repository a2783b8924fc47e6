package dev.sheaf.model.wire.bundle;

import org.jspecify.annotations.Nullable;

/// A difference between what two versions require.
///
/// @param change `added`, `removed` or `changed`
/// @param before null if it was added
/// @param after null if it was removed
public record RequirementChange(
        String change,
        String bundle,
        @Nullable RequiredBundle before,
        @Nullable RequiredBundle after) {}
