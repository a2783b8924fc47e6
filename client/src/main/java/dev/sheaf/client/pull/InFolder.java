package dev.sheaf.client.pull;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.cache.BlobCache;
import dev.sheaf.client.folder.FolderContents;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.oci.OciManifest;
import dev.sheaf.client.oci.OciRepository;
import java.io.IOException;
import java.util.Map;

/// Converts bundles to the form in which a pull writes them.
final class InFolder {
    private final RegistryTransport transport;
    private final BlobCache cache;
    private final Progress progress;

    InFolder(RegistryTransport transport, BlobCache cache, Progress progress) {
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
            byte[] cached = ContentDelivery.cachedManifest(cache, bundle.manifest());
            byte[] manifest = cached == null ? repository.manifest(bundle.manifest()) : cached;
            var archive = OciManifest.parse(manifest).archive();
            if (archive == null) {
                return bundle;
            }
            var order = new FolderContents(name, transport.registry(), name, bundle.manifest(), bundle.assets());
            new ContentDelivery(cache, progress, order)
                    .fetched(repository, manifest, Map.of(), new ContentDelivery.Target(null, false));
            var unpacked = new ArchiveUnpacking(cache, progress, archive).of(order);
            return unpacked == null
                    ? bundle
                    : new ResolvedBundle(bundle.repository(), bundle.version(), bundle.manifest(), unpacked.assets());
        } catch (IOException e) {
            throw DiskFailures.failed("cannot store " + name, e);
        }
    }
}
