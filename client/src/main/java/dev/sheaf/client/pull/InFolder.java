package dev.sheaf.client.pull;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.cache.BlobCache;
import dev.sheaf.client.folder.Contents;
import dev.sheaf.client.http.Transport;
import dev.sheaf.client.io.Disk;
import dev.sheaf.client.oci.OciManifest;
import dev.sheaf.client.oci.OciRepository;
import java.io.IOException;
import java.util.Map;

/// Converts bundles to the form in which a pull writes them.
final class InFolder {
    private final Transport transport;
    private final BlobCache cache;
    private final Progress progress;

    InFolder(Transport transport, BlobCache cache, Progress progress) {
        this.transport = transport;
        this.cache = cache;
        this.progress = progress;
    }

    /// Returns the bundle. If it consists of one archive, returns it with the files in the archive, which is
    /// fetched if it is not cached.
    ResolvedBundle of(ResolvedBundle bundle) {
        if (bundle.assets().size() != 1) {
            return bundle;
        }
        String name = bundle.repository().toString();
        var repository = new OciRepository(transport, name);
        try {
            byte[] cached = Delivery.cachedManifest(cache, bundle.manifest());
            byte[] manifest = cached == null ? repository.manifest(bundle.manifest()) : cached;
            var archive = OciManifest.parse(manifest).archive();
            if (archive == null) {
                return bundle;
            }
            var order = new Contents(name, transport.registry(), name, bundle.manifest(), bundle.assets());
            new Delivery(cache, progress, order)
                    .fetched(repository, manifest, Map.of(), new Delivery.Target(null, false));
            var unpacked = new Unpacking(cache, progress, archive).of(order);
            return unpacked == null
                    ? bundle
                    : new ResolvedBundle(bundle.repository(), bundle.version(), bundle.manifest(), unpacked.assets());
        } catch (IOException e) {
            throw Disk.failed("cannot store " + name, e);
        }
    }
}
