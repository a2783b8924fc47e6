package dev.sheaf.model.wire.hub;

/// The stars of a bundle: whether the caller's organization has starred it, and how many organizations have.
public record StarStatus(boolean starred, long starsCount) {}
