package dev.sheaf.client.bundle;

import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.FileModes;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.oci.MediaType;
import java.io.IOException;
import java.nio.file.Path;

/// A file to be published. It is read during the push and must not change until then.
///
/// @param executable whether its owner may execute it
public record LocalAsset(LogicalPath path, AssetType type, String mediaType, Path file, boolean executable) {
    /// Returns the asset with this path; its kind and media type are guessed from the path. It is executable if
    /// its owner may execute the file; never on file systems without modes.
    ///
    /// @throws dev.sheaf.client.api.SheafException.Local if the file cannot be read
    public static LocalAsset of(LogicalPath path, Path file) {
        try {
            boolean executable = FileModes.areKept(file) && FileModes.isExecutable(file);
            return new LocalAsset(path, AssetType.infer(path), MediaType.infer(path), file, executable);
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + file, e);
        }
    }

    LocalAsset typed(AssetType other) {
        return new LocalAsset(path, other, mediaType, file, executable);
    }

    LocalAsset executable(boolean mode) {
        return new LocalAsset(path, type, mediaType, file, mode);
    }
}
