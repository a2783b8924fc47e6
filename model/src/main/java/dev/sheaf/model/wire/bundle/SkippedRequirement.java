package dev.sheaf.model.wire.bundle;

/// An optional requirement that could not be met.
///
/// @param requiredBy the bundle that would use it, as `namespace/slug`
/// @param bundle the bundle that it would use
public record SkippedRequirement(String requiredBy, String bundle, String range) {}
