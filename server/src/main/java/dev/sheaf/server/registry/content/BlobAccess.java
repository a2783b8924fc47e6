package dev.sheaf.server.registry.content;

/// Who may read a blob of a repository that they may read.
public enum BlobAccess {
    /// Everybody.
    OPEN,
    /// Writers and reviewers: no version that is approved has it.
    HELD,
    /// Admins of the organization: all versions that have it are recalled.
    RECALLED
}
