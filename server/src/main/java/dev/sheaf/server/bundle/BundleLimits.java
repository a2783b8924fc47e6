package dev.sheaf.server.bundle;

/// How large a version may be that is packed as a bundle (contract 6). Bytes, unless it says otherwise.
public record BundleLimits(long asset, long bundle, int assets) {}
