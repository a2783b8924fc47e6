package dev.sheaf.client.pull;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.Bearer;
import dev.sheaf.client.api.LockEntry;
import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.PullOptions;
import dev.sheaf.client.api.Pulled;
import dev.sheaf.client.api.RefusedPath;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.cache.AnswerCache;
import dev.sheaf.client.cache.AnswerCache.Kept;
import dev.sheaf.client.cache.AnswerCache.Question;
import dev.sheaf.client.cache.BlobCache;
import dev.sheaf.client.folder.FolderContents;
import dev.sheaf.client.folder.WritableFiles;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.client.oci.OciManifest;
import dev.sheaf.client.oci.OciRepository;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Reference;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.wire.bundle.Resolution;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Pulls bundles: resolve, download, verify, cache (specification, "Pull sequence"), then write to the target
/// folder.
public final class BundlePull {
    private final RegistryTransport transport;
    private final BlobCache cache;
    private final AnswerCache answers;
    private final ReferenceResolver resolver;
    private final Progress progress;
    private final InstantSource clock;

    public BundlePull(RegistryTransport transport, BlobCache cache, Progress progress, InstantSource clock) {
        this.transport = transport;
        this.cache = cache;
        this.answers = new AnswerCache(cache.root(), transport.registry(), transport::identity);
        this.resolver = new ReferenceResolver(transport, answers, clock);
        this.progress = progress;
        this.clock = clock;
    }

    /// Returns a pull with another credential, the same connections and the same cache.
    public BundlePull as(Bearer other) {
        return new BundlePull(transport.as(other), cache, progress, clock);
    }

    /// Invalidates cached answers after a change by this client.
    public void changed(HttpCall call) {
        try {
            answers.changed(call.uri(), clock.instant());
        } catch (IOException e) {
            progress.notice("the cache cannot be written (" + e.getMessage()
                    + "), so a pull that does not refresh its answer may not see this change for half a minute");
        }
    }

    /// Resolves the reference by the rules of `options`, and checks that the answer is about it and can be written
    /// to a folder.
    public Resolution resolve(Reference reference, PullOptions options) {
        return options.offline()
                ? kept(question(reference, options)).orElseThrow(() -> neverPulled(reference))
                : answer(reference, options, true).resolution();
    }

    /// Asks once whether anything changed about a reference, without repeating a request that fails.
    ///
    /// @param offline whether to send no request and return the last answer of any age
    public Optional<Resolution> lastAnswer(Reference reference, boolean offline) {
        var question = new Question(reference);
        return offline
                ? answers.find(question)
                        .map(Kept::resolution)
                        .filter(answer -> ResolvedBundle.isAbout(reference, answer))
                : Optional.of(resolver.askOnce(question).resolution())
                        .filter(answer -> ResolvedBundle.isAbout(reference, answer));
    }

    private Kept answer(Reference reference, PullOptions options, boolean verbatim) {
        var question = question(reference, options);
        try {
            return resolver.resolve(question, options.refresh(), verbatim);
        } catch (SheafException.NotFound e) {
            throw question.minAge() == null || !e.code().orElse("").equals("version-not-found")
                    ? e
                    : new SheafException.NotFound(
                            "no version that matches " + reference + " is at least " + text(question.minAge())
                                    + " old; accept younger ones, or select another",
                            e.answer());
        }
    }

    private static String text(Duration age) {
        return age.toDays() > 0 && age.equals(Duration.ofDays(age.toDays())) ? age.toDays() + "d" : age.toString();
    }

    /// Returns the question to the registry. It contains the minimum age only if another version can be
    /// selected.
    private static Question question(Reference reference, PullOptions options) {
        boolean exact = reference.selector() instanceof VersionSelector.ByVersion
                || reference.selector() instanceof VersionSelector.ByDigest;
        return new Question(reference, exact ? null : options.minAge());
    }

    private Optional<Resolution> kept(Question question) {
        return answers.find(question)
                .or(() -> answers.find(new Question(question.reference())))
                .map(Kept::resolution);
    }

    private SheafException neverPulled(Reference reference) {
        return new SheafException.Offline(reference + " was never pulled from " + transport.registry()
                + " into this cache with this key; pull it once while the registry can be reached");
    }

    /// Pulls a bundle. `target` is null for the cache only.
    public Pulled run(Reference asked, @Nullable Path target, PullOptions options) {
        var locked = options.locked();
        var reference = locked == null ? asked : locked.pinned();
        var place = new ContentDelivery.Target(target, options.force());
        if (options.offline()) {
            return offline(reference, place, options);
        }
        Kept answer;
        try {
            answer = answer(reference, options, false);
        } catch (SheafException.Network | SheafException.Server e) {
            boolean down = e instanceof SheafException.Network || (e.status() >= 502 && e.status() <= 504);
            if (!down || locked == null || !holds(locked)) {
                throw e;
            }
            progress.notice(e.getMessage() + "; using the lock file and the cache");
            return offline(reference, place, options);
        }
        return fetch(reference, answer, place, options);
    }

    /// Returns a new lock file entry.
    public LockEntry lock(Reference reference, PullOptions options) {
        var answer = resolve(reference, options.refresh(true));
        var bundle = ResolvedBundle.of(reference, answer);
        PullRules.check(reference, answer, bundle, options, clock.instant());
        WritableFiles.refused(bundle.assets())
                .forEach(path -> progress.notice("a pull of " + reference + " leaves out a file: " + path));
        return PullRules.entry(reference, transport.registry(), bundle);
    }

    private boolean holds(LockEntry locked) {
        return cache.sizeOf(locked.manifest()) >= 0
                && ContentDelivery.missing(cache, locked.assets()).isEmpty();
    }

    /// Pulls from the cache without sending a request. A lock file contains everything that an answer would.
    private Pulled offline(Reference reference, ContentDelivery.Target target, PullOptions options) {
        var locked = options.locked();
        var known = kept(question(reference, options));
        if (locked == null && known.isEmpty()) {
            throw neverPulled(reference);
        }
        var bundle = known.map(answer -> ResolvedBundle.of(reference, answer)).orElseGet(() -> locked(locked));
        PullRules.check(reference, known.orElse(null), bundle, options, clock.instant());
        var writable = writable(bundle, target, options);
        try {
            byte[] manifest = ContentDelivery.cachedManifest(cache, bundle.manifest());
            if (manifest != null) {
                var parsed = OciManifest.parse(manifest);
                var assets = parsed.checkHolds(bundle.assets());
                var delivered = new ContentDelivery(
                                cache,
                                progress,
                                order(bundle, writable.with(assets).assets()),
                                parsed.archive())
                        .cached(target);
                if (delivered != null) {
                    return pulled(bundle, known.orElse(null), delivered, writable.refused());
                }
            }
        } catch (IOException e) {
            throw DiskFailures.failed("cannot store " + reference, e);
        }
        throw new SheafException.Offline("the cache " + cache.root() + " no longer contains all of " + reference
                + "; pull it once while the registry can be reached");
    }

    private static ResolvedBundle locked(@Nullable LockEntry entry) {
        return ResolvedBundle.of(WireJson.present(entry, "a lock entry"));
    }

    private Pulled fetch(Reference reference, Kept answer, ContentDelivery.Target target, PullOptions options) {
        var resolution = answer.resolution();
        var bundle = ResolvedBundle.of(reference, resolution);
        PullRules.check(reference, resolution, bundle, options, clock.instant());
        var writable = writable(bundle, target, options);
        try (var quick = OneRequest.ifWorthwhile(transport, cache, bundle)) {
            var repository = new OciRepository(transport, bundle.repository().toString());
            byte[] manifest = ContentDelivery.cachedManifest(cache, bundle.manifest());
            if (manifest == null) {
                manifest = quick.manifest();
            }
            if (manifest == null) {
                manifest = repository.manifest(bundle.manifest());
            }
            var parsed = OciManifest.parse(manifest);
            var assets = parsed.checkHolds(bundle.assets());
            var delivered = new ContentDelivery(
                            cache, progress, order(bundle, writable.with(assets).assets()), parsed.archive())
                    .fetched(repository, manifest, quick.content(), target);
            remember(reference, bundle, answer);
            return pulled(bundle, resolution, delivered, writable.refused());
        } catch (IOException e) {
            throw DiskFailures.failed("cannot store " + reference, e);
        }
    }

    /// Returns the files that may be written to the target. The cache accepts all files, since its names are
    /// digests.
    private static WritableFiles writable(ResolvedBundle bundle, ContentDelivery.Target target, PullOptions options) {
        String name = bundle.repository() + ":" + bundle.version();
        WritableFiles.checkSize(name, bundle.assets(), options);
        return target.folder() == null
                ? new WritableFiles(bundle.assets(), List.of())
                : WritableFiles.of(name, bundle.assets(), options);
    }

    /// Fetches one asset into the cache and verifies it like a pull.
    public Pulled.File asset(Reference reference, LogicalPath path) {
        var bundle = ResolvedBundle.of(reference, resolve(reference, PullOptions.DEFAULT));
        var asset = bundle.assets().stream()
                .filter(candidate -> candidate.path().equals(path))
                .findFirst()
                .orElseThrow(() ->
                        new SheafException.NotFound(reference + " has no asset " + path, SheafException.Answer.NONE));
        WritableFiles.checkSize(reference + " " + path, List.of(asset), PullOptions.DEFAULT);
        var repository = new OciRepository(transport, bundle.repository().toString());
        try {
            byte[] cached = ContentDelivery.cachedManifest(cache, bundle.manifest());
            byte[] manifest = cached == null ? repository.manifest(bundle.manifest()) : cached;
            OciManifest.parse(manifest).checkHolds(bundle.assets());
            return new ContentDelivery(cache, progress, order(bundle, List.of(asset)))
                    .fetched(repository, manifest, Map.of(), new ContentDelivery.Target(null, false))
                    .assets()
                    .getFirst();
        } catch (IOException e) {
            throw DiskFailures.failed("cannot store " + path + " of " + reference, e);
        }
    }

    /// Returns the bundle in the form that it has in a folder after a pull.
    public ResolvedBundle inFolder(ResolvedBundle bundle) {
        return new InFolder(transport, cache, progress).of(bundle);
    }

    /// Caches the answer under the pinned reference too, since a pull with a lock file asks for that reference.
    private void remember(Reference reference, ResolvedBundle bundle, Kept answer) throws IOException {
        var pinned = new Question(Reference.parse(bundle.repository() + "@" + bundle.manifest()));
        if (!pinned.reference().equals(reference)
                && answers.find(pinned)
                        .filter(kept -> !kept.asked().isBefore(answer.asked())
                                || (kept.etag() != null && answers.isFresh(pinned, kept, clock.instant())))
                        .isEmpty()) {
            answers.remember(pinned, new Kept(answer.asked(), null, answer.document(), answer.resolution()));
        }
    }

    private FolderContents order(ResolvedBundle bundle, List<Asset> assets) {
        String name = bundle.repository().toString();
        return new FolderContents(name, transport.registry(), name, bundle.manifest(), assets);
    }

    private static Pulled pulled(
            ResolvedBundle bundle,
            @Nullable Resolution resolution,
            ContentDelivery.Delivered delivered,
            List<RefusedPath> refused) {
        return new Pulled(
                bundle.repository().toString(),
                bundle.version().toString(),
                bundle.manifest(),
                resolution,
                delivered.assets(),
                refused,
                delivered.fetchedBytes());
    }
}
