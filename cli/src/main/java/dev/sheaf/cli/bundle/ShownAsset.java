package dev.sheaf.cli.bundle;

import dev.sheaf.client.api.Asset;
import org.jspecify.annotations.Nullable;

/// The JSON of a bundle's file.
record ShownAsset(
        String path,
        String type,
        String digest,
        long sizeBytes,
        @Nullable Boolean executable) {
    static ShownAsset of(Asset asset) {
        return new ShownAsset(
                asset.path().value(),
                asset.type().toString(),
                asset.digest().toString(),
                asset.size(),
                asset.executable());
    }

    /// Returns the mode for people, shown after the name; empty if the file is not executable, or its mode
    /// unknown.
    static String mode(@Nullable Boolean executable) {
        return Boolean.TRUE.equals(executable) ? " (executable)" : "";
    }
}
