package dev.sheaf.client.pull;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.cache.BlobCache;
import dev.sheaf.client.folder.FolderContents;
import dev.sheaf.client.folder.WritableFiles;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.archive.PackedFile;
import dev.sheaf.model.archive.PackedFiles;
import dev.sheaf.model.archive.UnfitArchive;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Unpacks an archive that is the only layer of a manifest. Its files are put into the cache by their digests,
/// like fetched content, so that they reach the folder in the same way and by the same rules.
final class ArchiveUnpacking {
    private final BlobCache cache;
    private final Progress progress;
    private final @Nullable Blob archive;

    /// @param archive the archive to unpack; null if there is nothing to unpack
    ArchiveUnpacking(BlobCache cache, Progress progress, @Nullable Blob archive) {
        this.cache = cache;
        this.progress = progress;
        this.archive = archive;
    }

    /// Returns the content to write to the folder instead of `order`, whose content is in the cache; null if
    /// the cached content is damaged. An archive that contains anything except plain files remains one file.
    @Nullable
    FolderContents of(FolderContents order) throws IOException {
        var packed = archive;
        if (packed == null
                || order.assets().stream().noneMatch(asset -> asset.blob().equals(packed))) {
            return order;
        }
        try {
            var files = files(packed);
            return files == null ? null : unpacked(order, files);
        } catch (UnfitArchive e) {
            progress.notice("the archive " + order.assets().getFirst().path() + " of " + order.name()
                    + " is written as one file: it " + e.getMessage());
            return order;
        }
    }

    /// Stores all files in the cache and returns them; null if the cached archive is damaged. Reads the archive
    /// twice, so that no file of a refused archive gets into the cache.
    private @Nullable List<PackedFile> files(Blob packed) throws IOException {
        try (var listing = new PackedFiles();
                var taking = new PackedFiles(this::keep)) {
            if (!cache.copy(packed, listing)) {
                return null;
            }
            listing.finish();
            return cache.copy(packed, taking) ? taking.finish() : null;
        }
    }

    private void keep(PackedFile file, byte[] content) throws IOException {
        var blob = new Blob(file.digest(), file.size());
        if (!cache.has(blob)) {
            cache.stage(blob, into -> {
                into.reset();
                into.append(content, content.length);
            });
            cache.commit(blob);
        }
    }

    private static FolderContents unpacked(FolderContents order, List<PackedFile> files) {
        var assets = files.stream().map(ArchiveUnpacking::asset).toList();
        var refused = WritableFiles.refused(assets);
        if (!refused.isEmpty()) {
            throw new SheafException.UnsafePaths(order.name(), refused, assets.size() - refused.size());
        }
        return new FolderContents(order.name(), order.registry(), order.repository(), order.manifest(), assets);
    }

    static Asset asset(PackedFile file) {
        return new Asset(
                file.path(), AssetType.infer(file.path()), new Blob(file.digest(), file.size()), file.isExecutable());
    }
}
