package dev.sheaf.client.pull;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.OciReference;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.Pulled;
import dev.sheaf.client.api.RefusedPath;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.cache.BlobCache;
import dev.sheaf.client.folder.FolderContents;
import dev.sheaf.client.folder.WritableFiles;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.oci.OciManifest;
import dev.sheaf.client.oci.OciRepository;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.ProblemException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Pulls an artifact using only `/v2`. Each layer is a file, named by its title, or else by its digest, as in
/// Sheaf (contract 4).
public final class OciPull {
    private final OciRepository repository;
    private final BlobCache cache;
    private final Progress progress;

    public OciPull(OciRepository repository, BlobCache cache, Progress progress) {
        this.repository = repository;
        this.cache = cache;
        this.progress = progress;
    }

    public Pulled run(OciReference reference, @Nullable Path target, PullOptions options) {
        if (options.locked() != null || options.minAge() != null) {
            throw new SheafException.InvalidRequest(reference
                    + " is an artifact of an OCI registry, for which lock files and minimum ages are not supported");
        }
        try {
            byte[] bytes = manifest(reference, options.offline());
            var digest = reference.digest() == null ? Digest.of(Digest.Algorithm.SHA256, bytes) : reference.digest();
            var parsed = OciManifest.parse(bytes);
            var files = files(reference, parsed, target, options);
            var order = new FolderContents(
                    reference.name(), reference.registry(), reference.repository(), digest, files.assets());
            var delivery = new ContentDelivery(cache, progress, order, parsed.archive());
            var place = new ContentDelivery.Target(target, options.force());
            var delivered =
                    options.offline() ? delivery.cached(place) : delivery.fetched(repository, bytes, Map.of(), place);
            if (delivered == null) {
                throw notHeld(reference);
            }
            return new Pulled(
                    reference.name(),
                    reference.tag(),
                    digest,
                    null,
                    delivered.assets(),
                    files.refused(),
                    delivered.fetchedBytes());
        } catch (IOException e) {
            throw DiskFailures.failed("cannot store " + reference, e);
        }
    }

    private byte[] manifest(OciReference reference, boolean offline) throws IOException {
        byte[] cached = reference.digest() == null ? null : ContentDelivery.cachedManifest(cache, reference.digest());
        if (cached != null) {
            return cached;
        }
        if (offline) {
            throw notHeld(reference);
        }
        return reference.digest() == null
                ? repository.manifest(reference.selector())
                : repository.manifest(reference.digest());
    }

    private SheafException notHeld(OciReference reference) {
        return new SheafException.Offline("the cache " + cache.root() + " does not contain all of " + reference
                + (reference.digest() == null ? "; without a registry, artifacts are only found by digest" : ""));
    }

    private static WritableFiles files(
            OciReference reference, OciManifest manifest, @Nullable Path target, PullOptions options) {
        if (manifest.isIndex()) {
            throw new SheafException.InvalidRequest(reference
                    + " is an index of several manifests; select one by its digest: " + reference.name() + "@sha256:…");
        }
        var assets = new ArrayList<Asset>();
        var refused = new ArrayList<RefusedPath>();
        var unnamed = new HashSet<Digest>();
        for (var layer : manifest.layers()) {
            if (layer.title() != null || unnamed.add(layer.blob().digest())) {
                String name = layer.title() == null ? layer.nameByDigest() : layer.title();
                try {
                    var path = new LogicalPath(name);
                    assets.add(new Asset(path, AssetType.infer(path), layer.blob(), layer.executable() ? true : null));
                } catch (ProblemException e) {
                    refused.add(new RefusedPath(name, "format", "is not a valid file path: " + e.getMessage()));
                }
            }
        }
        if (assets.isEmpty() && refused.isEmpty()) {
            throw new SheafException.InvalidRequest(reference + " has no files");
        }
        WritableFiles.checkSize(reference.toString(), assets, options);
        return target == null && refused.isEmpty()
                ? new WritableFiles(assets, List.of())
                : WritableFiles.of(reference.toString(), assets, refused, options);
    }
}
