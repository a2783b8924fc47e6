package dev.sheaf.model.wire.bundle;

import java.util.List;

/// A bundle that a version needs, directly or through others, and the version that fits all of them together.
///
/// @param digest the digest of the manifest of the version
/// @param requiredBy the bundles that require it, as `namespace/slug`, sorted
/// @param range the range of the first that required it; the version is in the ranges of all
public record ResolvedRequirement(
        String namespace, String bundle, String version, String digest, List<String> requiredBy, String range) {
    /// Returns `namespace/slug`.
    public String ref() {
        return namespace + "/" + bundle;
    }
}
