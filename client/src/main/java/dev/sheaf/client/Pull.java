package dev.sheaf.client;

import dev.sheaf.client.Progress.Activity;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Reference;
import dev.sheaf.model.Selector;
import dev.sheaf.model.wire.Resolution;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Resolve, download, verify, cache (specification, "Pull sequence"), and then the target folder. Nothing reaches
/// the cache before the whole bundle is verified, and nothing the target before it is in the cache.
final class Pull {
    private static final int ROUNDS = 3;

    private final Transport transport;
    private final BlobCache cache;
    private final Progress progress;
    private final Answers answers;

    Pull(Transport transport, BlobCache cache, Progress progress) {
        this.transport = transport;
        this.cache = cache;
        this.progress = progress;
        this.answers = new Answers(cache.root(), transport.registry());
    }

    Resolution resolve(Reference reference) {
        var repository = reference.repository();
        String query = switch (reference.selector()) {
            case Selector.Default _ -> "";
            case Selector.ByDigest(Digest digest) -> "?digest=" + encode(digest.toString());
            case Selector.ByVersion by -> "?version=" + encode(by.toString());
            case Selector.ByTag by -> "?version=" + encode(by.toString());
            case Selector.ByRange by -> "?version=" + encode(by.toString());
        };
        String path = "/v1/namespaces/" + repository.namespace() + "/bundles/" + repository.bundle() + ":resolve";
        return transport.json(Call.get(transport.registry().at(path + query)), Resolution.class);
    }

    static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// `target` is null where the cache is enough.
    Pulled run(Reference asked, @Nullable Path target, PullOptions options) {
        var locked = options.locked();
        var reference = locked == null ? asked : locked.pinned();
        if (options.offline()) {
            return offline(reference, target, options);
        }
        Resolution resolution;
        try {
            resolution = resolve(reference);
        } catch (SheafException.Network | SheafException.Server e) {
            boolean down = e instanceof SheafException.Network || (e.status() >= 502 && e.status() <= 504);
            if (!down || locked == null || answers.find(reference).isEmpty()) {
                throw e;
            }
            progress.notice(e.getMessage() + "; going by the lock file and the cache");
            return offline(reference, target, options);
        }
        return fetch(reference, resolution, target, options);
    }

    /// What the cache holds, without a question to anybody.
    private Pulled offline(Reference reference, @Nullable Path target, PullOptions options) {
        var resolution = answers.find(reference)
                .orElseThrow(
                        () -> new SheafException.Offline(reference + " was never pulled from " + transport.registry()
                                + " into this cache; pull it once" + " while the registry can be reached"));
        var bundle = ResolvedBundle.of(reference, resolution);
        PullRules.check(reference, resolution, bundle, options);
        boolean whole = cache.sizeOf(bundle.manifest()) >= 0
                && bundle.assets().stream().allMatch(asset -> cache.has(asset.blob()));
        try {
            byte[] manifest = whole ? cachedManifest(bundle.manifest()) : null;
            if (manifest != null) {
                OciManifest.parse(manifest).checkHolds(bundle.assets());
                var files = target == null ? checkCached(bundle) : write(bundle, target);
                if (files != null) {
                    return new Pulled(resolution, bundle.manifest(), assets(bundle, files), 0);
                }
            }
        } catch (IOException e) {
            throw Disk.failed("cannot store " + reference, e);
        }
        throw new SheafException.Offline("the cache " + cache.root() + " no longer holds all of " + reference
                + "; pull it once while the registry can be reached");
    }

    private Pulled fetch(Reference reference, Resolution resolution, @Nullable Path target, PullOptions options) {
        var bundle = ResolvedBundle.of(reference, resolution);
        PullRules.check(reference, resolution, bundle, options);
        try {
            byte[] manifest = manifest(bundle);
            OciManifest.parse(manifest).checkHolds(bundle.assets());
            var fetched = new AtomicLong();
            // A later round heals what an earlier one found damaged in the cache, or lost to another process.
            for (int round = 0; round < ROUNDS; round++) {
                if (fetch(reference, bundle, manifest, fetched)) {
                    var files = target == null ? checkCached(bundle) : write(bundle, target);
                    if (files != null) {
                        answers.remember(reference, bundle, resolution);
                        return new Pulled(resolution, bundle.manifest(), assets(bundle, files), fetched.get());
                    }
                    progress.notice("the cache held damaged content; fetching it again");
                }
            }
        } catch (IOException e) {
            throw Disk.failed("cannot store " + reference, e);
        }
        throw new SheafException.Integrity(
                "content is damaged on its way through the cache " + cache.root() + "; check that disk");
    }

    byte[] manifest(ResolvedBundle bundle) throws IOException {
        byte[] cached = cachedManifest(bundle.manifest());
        if (cached != null) {
            return cached;
        }
        String path = "/v2/" + bundle.repository() + "/manifests/" + bundle.manifest();
        var call = Call.get(transport.registry().at(path)).header("Accept", OciManifest.ACCEPT);
        byte[] bytes = transport.bytes(call, OciManifest.LONGEST);
        var actual = Digest.of(bundle.manifest().algorithm(), bytes);
        if (!actual.equals(bundle.manifest())) {
            throw new SheafException.Integrity("manifest " + bundle.manifest() + " arrived with digest " + actual);
        }
        return bytes;
    }

    private byte @Nullable [] cachedManifest(Digest digest) throws IOException {
        long size = cache.sizeOf(digest);
        if (size < 0 || size > OciManifest.LONGEST) {
            return null;
        }
        var bytes = new ByteArrayOutputStream((int) size);
        return cache.copy(new Blob(digest, size), bytes) ? bytes.toByteArray() : null;
    }

    /// Brings into the cache what is not there. False where another process, whose bundle was wrong, threw away a
    /// blob that both wanted.
    private boolean fetch(Reference reference, ResolvedBundle bundle, byte[] manifest, AtomicLong fetched)
            throws IOException {
        var blobs = bundle.assets().stream()
                .map(ResolvedBundle.Asset::blob)
                .distinct()
                .filter(blob -> !cache.has(blob))
                .toList();
        if (!blobs.isEmpty()) {
            download(reference, bundle, blobs, fetched);
        }
        boolean whole = true;
        for (Blob blob : blobs) {
            whole &= cache.commit(blob);
        }
        var document = new Blob(bundle.manifest(), manifest.length);
        if (whole && !cache.has(document)) {
            cache.stage(document, file -> {
                file.reset();
                file.append(manifest, manifest.length);
            });
            cache.commit(document);
        }
        return whole;
    }

    private void download(Reference reference, ResolvedBundle bundle, List<Blob> blobs, AtomicLong fetched)
            throws IOException {
        Set<Blob> own = ConcurrentHashMap.newKeySet();
        long total = blobs.stream().mapToLong(Blob::size).sum();
        try (var transfer = progress.begin(Activity.DOWNLOAD, reference, total)) {
            Parallel.run(blobs.stream()
                    .map(blob -> (Runnable) () -> {
                        own.add(blob); // before its file is made, which an interruption may leave empty
                        stage(blob, file -> {
                            long before = file.length();
                            new BlobDownload(transport, bundle.repository(), blob, transfer).into(file);
                            fetched.addAndGet(file.length() - before);
                        });
                    })
                    .toList());
        } catch (SheafException.Integrity e) {
            for (Blob blob : own) {
                cache.discard(blob);
            }
            throw e;
        }
    }

    private void stage(Blob blob, BlobCache.Download download) {
        try {
            cache.stage(blob, download);
        } catch (IOException e) {
            throw Disk.failed("cannot write to the cache", e);
        }
    }

    /// Where each asset lies in the cache, or null where one turned out damaged.
    private @Nullable Function<ResolvedBundle.Asset, Path> checkCached(ResolvedBundle bundle) throws IOException {
        boolean good = true;
        for (var asset : bundle.assets()) {
            good &= cache.copy(asset.blob(), OutputStream.nullOutputStream());
        }
        return good ? asset -> cache.path(asset.blob().digest()) : null;
    }

    /// Where each asset lies in the target, or null where one turned out damaged in the cache.
    private @Nullable Function<ResolvedBundle.Asset, Path> write(ResolvedBundle bundle, Path target)
            throws IOException {
        boolean good = true;
        try (var folder = TargetFolder.open(target)) {
            for (var asset : bundle.assets()) {
                folder.checkFree(asset.path());
            }
            for (var asset : bundle.assets()) {
                if (!folder.holds(asset.path(), asset.blob())) {
                    try (var out = folder.stage(asset.path())) {
                        good &= cache.copy(asset.blob(), out);
                    }
                }
            }
            if (good) {
                folder.commit();
            }
        }
        return good ? asset -> target.resolve(asset.path().value()) : null;
    }

    private static List<Pulled.Asset> assets(ResolvedBundle bundle, Function<ResolvedBundle.Asset, Path> file) {
        return bundle.assets().stream()
                .map(asset -> new Pulled.Asset(
                        asset.path(),
                        asset.type(),
                        asset.blob().digest(),
                        asset.blob().size(),
                        file.apply(asset)))
                .toList();
    }
}
