package dev.sheaf.client;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Reference;
import dev.sheaf.model.wire.Resolution;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/// Gets one asset of a bundle, by the same chain of digests as a pull: the registry's answer, the manifest, the
/// blob.
final class Fetch {
    private final Transport transport;
    private final BlobCache cache;
    private final Progress progress;

    Fetch(Transport transport, BlobCache cache, Progress progress) {
        this.transport = transport;
        this.cache = cache;
        this.progress = progress;
    }

    Pulled.Asset run(Reference reference, Resolution resolution, LogicalPath path) {
        var bundle = ResolvedBundle.of(reference, resolution);
        var asset = bundle.assets().stream()
                .filter(candidate -> candidate.path().equals(path))
                .findFirst()
                .orElseThrow(() ->
                        new SheafException.NotFound(reference + " has no asset " + path, SheafException.Answer.NONE));
        String name = bundle.repository().toString();
        var repository = new OciRepository(transport, name);
        var alone = new Delivery.Order(name, transport.registry(), name, bundle.manifest(), List.of(asset));
        try {
            byte[] manifest = Delivery.cachedManifest(cache, bundle.manifest());
            if (manifest == null) {
                manifest = repository.manifest(bundle.manifest());
            }
            OciManifest.parse(manifest).checkHolds(bundle.assets());
            return new Delivery(cache, progress, alone)
                    .fetched(repository, manifest, Map.of(), new Delivery.Target(null, false))
                    .assets()
                    .getFirst();
        } catch (IOException e) {
            throw Disk.failed("cannot store " + path + " of " + reference, e);
        }
    }
}
