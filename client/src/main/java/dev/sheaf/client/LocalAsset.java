package dev.sheaf.client;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.oci.MediaType;
import java.nio.file.Path;

/// A file that is to become an asset. It is read when it is pushed and must not change until then.
public record LocalAsset(LogicalPath path, AssetType type, String mediaType, Path file) {
    /// The asset of this path, its kind and media type guessed from the path.
    public static LocalAsset of(LogicalPath path, Path file) {
        return new LocalAsset(path, AssetType.infer(path), MediaType.infer(path), file);
    }
}
