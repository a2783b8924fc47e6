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
}
