package dev.sheaf.server.http.policy;

/// What a request counts as (contract 6).
public enum Cost {
    /// Nothing: health and documents, or a handler that counts by itself with [Call#count].
    FREE,
    READ,
    WRITE
}
