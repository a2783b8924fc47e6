package dev.sheaf.server.bundle;

/// How large a version may be that is packed as a bundle (contract 6).
public record BundleLimits(long assetBytes, long bundleBytes, int assetCount) {}
