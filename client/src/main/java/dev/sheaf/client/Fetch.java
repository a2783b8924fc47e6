package dev.sheaf.client;

import dev.sheaf.client.Progress.Activity;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Reference;
import java.io.IOException;
import java.io.OutputStream;

/// Gets one asset of a bundle, by the same chain of digests as a pull: the registry's answer, the manifest, the
/// blob.
final class Fetch {
    private static final int ROUNDS = 3;

    private final Transport transport;
    private final BlobCache cache;
    private final Progress progress;

    Fetch(Transport transport, BlobCache cache, Progress progress) {
        this.transport = transport;
        this.cache = cache;
        this.progress = progress;
    }

    Pulled.Asset run(Reference reference, LogicalPath path) {
        var pull = new Pull(transport, cache, progress);
        var bundle = ResolvedBundle.of(reference, pull.resolve(reference));
        var asset = bundle.assets().stream()
                .filter(candidate -> candidate.path().equals(path))
                .findFirst()
                .orElseThrow(() ->
                        new SheafException.NotFound(reference + " has no asset " + path, SheafException.Answer.NONE));
        try {
            OciManifest.parse(pull.manifest(bundle)).checkHolds(bundle.assets());
            // A later round heals what an earlier one found damaged in the cache, or lost to another process.
            for (int round = 0; round < ROUNDS; round++) {
                if (!cache.has(asset.blob())) {
                    download(reference, bundle, asset.blob());
                    cache.commit(asset.blob());
                }
                if (cache.copy(asset.blob(), OutputStream.nullOutputStream())) {
                    var digest = asset.blob().digest();
                    return new Pulled.Asset(
                            path, asset.type(), digest, asset.blob().size(), cache.path(digest));
                }
            }
        } catch (IOException e) {
            throw Disk.failed("cannot store " + path + " of " + reference, e);
        }
        throw new SheafException.Integrity(
                "content is damaged on its way through the cache " + cache.root() + "; check that disk");
    }

    private void download(Reference reference, ResolvedBundle bundle, Blob blob) throws IOException {
        try (var transfer = progress.begin(Activity.DOWNLOAD, reference, blob.size())) {
            cache.stage(blob, file -> new BlobDownload(transport, bundle.repository(), blob, transfer).into(file));
        }
    }
}
