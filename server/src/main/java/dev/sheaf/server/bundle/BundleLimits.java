package dev.sheaf.server.bundle;

/// The size limits of a version that is packed as a bundle (contract 6).
public record BundleLimits(long assetBytes, long bundleBytes, int assetCount) {}
