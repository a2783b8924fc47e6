package dev.sheaf.client.pull;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.Progress.Activity;
import dev.sheaf.client.api.Pulled;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.cache.BlobCache;
import dev.sheaf.client.cache.PartialFile;
import dev.sheaf.client.folder.FolderContents;
import dev.sheaf.client.folder.FolderLock;
import dev.sheaf.client.folder.FolderWriter;
import dev.sheaf.client.folder.OwnFolder;
import dev.sheaf.client.folder.TargetFolder;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.TaskThreads;
import dev.sheaf.client.oci.OciManifest;
import dev.sheaf.client.oci.OciRepository;
import dev.sheaf.model.Digest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Brings the content of one manifest into the cache, and from there into a folder. Nothing enters the cache
/// before all content is verified, and nothing enters the folder before it is in the cache. Use an instance
/// once, from one thread.
final class ContentDelivery {
    private static final int ROUNDS = 3;

    /// The target of the content.
    ///
    /// @param folder null for the cache only
    /// @param force whether to replace files of the user
    record Target(@Nullable Path folder, boolean force) {}

    /// @param fetchedBytes the number of fetched bytes
    record Delivered(List<Pulled.File> assets, long fetchedBytes) {}

    private final BlobCache cache;
    private final Progress progress;
    private final FolderContents order;
    private final ArchiveUnpacking unpacking;
    private FolderContents written;
    private final AtomicLong fetched = new AtomicLong();

    ContentDelivery(BlobCache cache, Progress progress, FolderContents order) {
        this(cache, progress, order, null);
    }

    /// @param archive an archive to unpack in the folder; null if there is no archive
    ContentDelivery(BlobCache cache, Progress progress, FolderContents order, @Nullable Blob archive) {
        this.cache = cache;
        this.progress = progress;
        this.order = order;
        this.unpacking = new ArchiveUnpacking(cache, progress, archive);
        this.written = order;
    }

    /// Returns the manifest from the cache; null if it is not cached or damaged.
    static byte @Nullable [] cachedManifest(BlobCache cache, Digest digest) throws IOException {
        long size = cache.sizeOf(digest);
        if (size < 0 || size > OciManifest.LONGEST) {
            return null;
        }
        var bytes = new ByteArrayOutputStream((int) size);
        return cache.copy(new Blob(digest, size), bytes) ? bytes.toByteArray() : null;
    }

    /// Returns the content that is not in the cache.
    static List<Blob> missing(BlobCache cache, List<Asset> assets) {
        return assets.stream()
                .map(Asset::blob)
                .distinct()
                .filter(blob -> !cache.has(blob))
                .toList();
    }

    /// Delivers from the cache alone; returns null if content is missing or damaged.
    @Nullable
    Delivered cached(Target target) throws IOException {
        if (!missing(cache, order.assets()).isEmpty()) {
            return null;
        }
        var places = put(target);
        return places == null ? null : new Delivered(assets(places), 0);
    }

    /// Fetches missing content, then delivers.
    ///
    /// @param manifest the verified bytes of the manifest
    /// @param known content that was received in another way, not verified
    Delivered fetched(OciRepository repository, byte[] manifest, Map<Blob, byte[]> known, Target target)
            throws IOException {
        // A later round repairs content that was damaged in the cache, or discarded by another process.
        for (int round = 0; round < ROUNDS; round++) {
            if (fetch(repository, manifest, known)) {
                var places = put(target);
                if (places != null) {
                    return new Delivered(assets(places), fetched.get());
                }
                progress.notice("the cache contained damaged content; fetching it again");
            }
        }
        throw new SheafException.Integrity(
                "content was damaged while it was stored in the cache " + cache.root() + "; check the disk");
    }

    /// Fetches missing content into the cache. Returns false if another process, whose bundle was wrong, has
    /// discarded a blob that both needed.
    private boolean fetch(OciRepository repository, byte[] manifest, Map<Blob, byte[]> known) throws IOException {
        var blobs = missing(cache, order.assets());
        if (!blobs.isEmpty()) {
            cache.checkRoom(blobs);
            download(repository, blobs, known);
        }
        boolean whole = true;
        for (Blob blob : blobs) {
            whole &= cache.commit(blob);
        }
        var document = new Blob(order.manifest(), manifest.length);
        if (whole && !cache.has(document)) {
            cache.stage(document, file -> whole(file, manifest));
            cache.commit(document);
        }
        return whole;
    }

    private void download(OciRepository repository, List<Blob> blobs, Map<Blob, byte[]> known) {
        Set<Blob> own = ConcurrentHashMap.newKeySet();
        long total = blobs.stream().mapToLong(Blob::size).sum();
        try (var transfer = progress.begin(Activity.DOWNLOAD, order.name(), total)) {
            TaskThreads.run(blobs.stream()
                    .sorted(Comparator.comparingLong(Blob::size).reversed()) // so that the last download is short
                    .map(blob -> (Runnable) () -> {
                        own.add(blob); // before its file exists, which an interrupt may leave empty
                        try (var part = transfer.part(name(blob), blob.size())) {
                            stage(blob, file -> {
                                long before = file.length();
                                byte[] bytes = known.get(blob);
                                if (bytes == null) {
                                    repository.blob(blob, part).into(file);
                                } else {
                                    whole(file, bytes);
                                    part.advance(bytes.length);
                                    before = 0;
                                }
                                fetched.addAndGet(file.length() - before);
                            });
                        }
                    })
                    .toList());
        } catch (SheafException.Integrity e) {
            for (Blob blob : own) {
                discard(blob);
            }
            throw e;
        }
    }

    /// Returns the path of the first asset with this content.
    private String name(Blob blob) {
        return order.assets().stream()
                .filter(asset -> asset.blob().equals(blob))
                .findFirst()
                .map(asset -> asset.path().value())
                .orElse(blob.digest().toString());
    }

    private static void whole(PartialFile file, byte[] bytes) throws IOException {
        file.reset();
        file.append(bytes, bytes.length);
    }

    private void stage(Blob blob, BlobCache.Download download) {
        try {
            cache.stage(blob, download);
        } catch (IOException e) {
            throw DiskFailures.failed("cannot write to the cache", e);
        }
    }

    private void discard(Blob blob) {
        try {
            cache.discard(blob);
        } catch (IOException e) {
            throw DiskFailures.failed("cannot write to the cache", e);
        }
    }

    /// Returns the place of each asset; null if one is damaged in the cache.
    private @Nullable Function<Asset, Path> put(Target target) throws IOException {
        Path folder = target.folder();
        if (folder == null) {
            return checkCached() ? asset -> cache.path(asset.blob().digest()) : null;
        }
        var contents = unpacking.of(order);
        if (contents == null) {
            return null;
        }
        written = contents;
        Path made = TargetFolder.created(folder);
        try (var inCache = cache.lock("target " + made);
                var lock = FolderLock.acquire(made.resolve(OwnFolder.NAME))) {
            boolean good = new FolderWriter(TargetFolder.open(made), contents, progress, target.force()).run(cache);
            if (good) {
                progress.step(Progress.Step.CHANGED);
            }
            return good ? asset -> folder.resolve(asset.path().value()) : null;
        }
    }

    private boolean checkCached() throws IOException {
        boolean good = true;
        for (var asset : order.assets()) {
            good &= cache.copy(asset.blob(), OutputStream.nullOutputStream());
        }
        return good;
    }

    private List<Pulled.File> assets(Function<Asset, Path> file) {
        return written.assets().stream()
                .map(asset -> new Pulled.File(asset, file.apply(asset)))
                .toList();
    }
}
