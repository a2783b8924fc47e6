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

    /// What people are told of the mode, behind the name: nothing where the file is not executable, or that is not
    /// known.
    static String mode(@Nullable Boolean executable) {
        return Boolean.TRUE.equals(executable) ? " (executable)" : "";
    }
}
