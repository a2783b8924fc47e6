package dev.sheaf.model.wire.hub;

/// Whether the caller's organization has starred a bundle, and how many organizations have.
public record StarStatus(boolean starred, long starsCount) {}
