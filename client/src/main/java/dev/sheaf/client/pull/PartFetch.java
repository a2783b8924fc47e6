package dev.sheaf.client.pull;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.cache.BlobCache;
import dev.sheaf.client.folder.FolderContents;
import dev.sheaf.client.folder.WritableFiles;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.oci.OciManifest;
import dev.sheaf.client.oci.OciRepository;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Fetches single files of a bundle into the cache, given only the digest of its manifest, which lists all
/// files with digests and modes. Only sends requests for content that is not cached.
public final class PartFetch {
    private final RegistryTransport transport;
    private final BlobCache cache;
    private final Progress progress;

    public PartFetch(RegistryTransport transport, BlobCache cache, Progress progress) {
        this.transport = transport;
        this.cache = cache;
        this.progress = progress;
    }

    /// A version of a bundle, with the digest of its manifest.
    public record Pinned(RepositoryName bundle, Version version, Digest manifest) {
        @Override
        public String toString() {
            return bundle + ":" + version;
        }
    }

    /// The content of a manifest.
    ///
    /// @param files the files with valid paths
    public record Listed(Pinned pinned, byte[] manifest, List<Asset> files) {}

    /// Returns the files of a version.
    ///
    /// @throws SheafException.Offline if only the cache may be used, but it does not contain the manifest
    public Listed list(Pinned pinned, boolean offline) {
        try {
            byte[] manifest = ContentDelivery.cachedManifest(cache, pinned.manifest());
            if (manifest == null && offline) {
                throw missing(pinned);
            }
            if (manifest == null) {
                manifest = repository(pinned).manifest(pinned.manifest());
            }
            return new Listed(pinned, manifest, files(pinned, OciManifest.parse(manifest)));
        } catch (IOException e) {
            throw DiskFailures.failed("cannot store " + pinned, e);
        }
    }

    private static List<Asset> files(Pinned pinned, OciManifest manifest) {
        if (manifest.isIndex()) {
            throw new SheafException.InvalidRequest(pinned + " is an index of several manifests, which has no files");
        }
        var names = new HashSet<String>();
        var files = new ArrayList<Asset>();
        for (var layer : manifest.layers()) {
            path(layer.title()).filter(path -> names.add(path.folded())).ifPresent(path -> {
                files.add(new Asset(path, AssetType.infer(path), layer.blob(), layer.executable()));
            });
        }
        return List.copyOf(files);
    }

    private static Optional<LogicalPath> path(@Nullable String title) {
        try {
            return title == null ? Optional.empty() : Optional.of(new LogicalPath(title));
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }

    /// Fetches files into the cache and verifies them.
    ///
    /// @throws SheafException.Offline if only the cache may be used, but it does not contain a file
    /// @throws SheafException.InvalidRequest if the files are larger than `options` allow
    public void fetch(Listed listed, List<Asset> files, PullOptions options) {
        var pinned = listed.pinned();
        WritableFiles.checkSize(pinned.toString(), files, options);
        String name = pinned.bundle().toString();
        var delivery = new ContentDelivery(
                cache, progress, new FolderContents(name, transport.registry(), name, pinned.manifest(), files));
        var nowhere = new ContentDelivery.Target(null, false);
        try {
            if (delivery.cached(nowhere) != null && cache.sizeOf(pinned.manifest()) >= 0) {
                return;
            }
            if (options.offline()) {
                throw missing(pinned);
            }
            try (var quick = quick(listed, files)) {
                delivery.fetched(repository(pinned), listed.manifest(), quick.content(), nowhere);
            }
        } catch (IOException e) {
            throw DiskFailures.failed("cannot store " + pinned, e);
        }
    }

    /// Uses one request if all files are needed.
    private OneRequest quick(Listed listed, List<Asset> files) throws IOException {
        var pinned = listed.pinned();
        boolean all = files.size() == listed.files().size();
        return OneRequest.ifWorthwhile(
                transport,
                cache,
                new ResolvedBundle(pinned.bundle(), pinned.version(), pinned.manifest(), all ? files : List.of()));
    }

    /// Writes a file of the cache to `out`.
    ///
    /// @throws SheafException.Integrity if it is damaged or no longer cached
    public void copy(Blob blob, OutputStream out) throws IOException {
        if (!cache.copy(blob, out)) {
            throw new SheafException.Integrity("the cache " + cache.root() + " no longer contains " + blob.digest()
                    + "; repeat the command to fetch it again");
        }
    }

    private OciRepository repository(Pinned pinned) {
        return new OciRepository(transport, pinned.bundle().toString());
    }

    private SheafException missing(Pinned pinned) {
        return new SheafException.Offline("the cache " + cache.root() + " does not contain all of " + pinned
                + "; install it once while the registry can be reached");
    }
}
