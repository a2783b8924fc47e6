package dev.sheaf.server.registry;

/// What stopped to need a manifest.
public enum Release {
    /// The tag was removed, or moved away. What once had a tag may be pulled by its digest for as long as it is
    /// there, so this alone deletes nothing unless the installation says so.
    TAG,
    /// The index that listed it was deleted.
    INDEX,
    /// The manifest that it refers to was deleted.
    SUBJECT,
    /// The version was deleted.
    VERSION
}
