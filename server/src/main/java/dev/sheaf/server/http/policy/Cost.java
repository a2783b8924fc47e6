package dev.sheaf.server.http.policy;

/// The cost of a request under rate limits (contract 6).
public enum Cost {
    /// Not counted: health, documents, and requests whose handler calls [Call#count] itself.
    FREE,
    READ,
    WRITE
}
