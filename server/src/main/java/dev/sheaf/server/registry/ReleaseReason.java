package dev.sheaf.server.registry;

/// The reason why a manifest is no longer needed.
public enum ReleaseReason {
    /// The tag was removed or moved. The manifest may still be pulled by its digest, so this alone deletes
    /// nothing unless the installation is set up to do so.
    TAG,
    /// The index that listed it was deleted.
    INDEX,
    /// The manifest that it refers to was deleted.
    SUBJECT,
    /// The version was deleted.
    VERSION
}
