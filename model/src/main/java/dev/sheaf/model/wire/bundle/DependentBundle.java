package dev.sheaf.model.wire.bundle;

/// A bundle that requires another one.
///
/// @param version its newest published version that requires it
/// @param range the versions that will do for that
public record DependentBundle(String namespace, String bundle, String version, String range, boolean optional) {
    /// Returns `namespace/slug`.
    public String ref() {
        return namespace + "/" + bundle;
    }
}
