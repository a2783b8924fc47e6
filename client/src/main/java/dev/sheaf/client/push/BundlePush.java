package dev.sheaf.client.push;

import dev.sheaf.client.api.Progress;
import dev.sheaf.client.api.PushOptions;
import dev.sheaf.client.api.PushPlan;
import dev.sheaf.client.api.Pushed;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.bundle.LocalAsset;
import dev.sheaf.client.bundle.SecretLint;
import dev.sheaf.client.http.ErrorResponses;
import dev.sheaf.client.http.HttpCall;
import dev.sheaf.client.http.RegistryTransport;
import dev.sheaf.client.io.ByteSizes;
import dev.sheaf.client.io.DiskFailures;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.Visibility;
import dev.sheaf.model.oci.OciPackaging;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.HeldVersion;
import dev.sheaf.model.wire.bundle.VersionDetail;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Publishes a version: a small one in one JSON request (contract 3.5), a large one blob by blob through the OCI
/// registry (contract 4). If one request is too large for the registry or a proxy before it, the push goes on blob by
/// blob.
public final class BundlePush {
    /// The limit for one inline asset in bytes (contract 6).
    private static final long LARGEST_INLINE = 4 << 20;

    /// The limit for a JSON push in bytes. It is below the registry's limit of 64 MiB, to leave space for
    /// escapes.
    private static final long LARGEST_JSON = 48 << 20;

    /// The status for a request that is larger than the registry takes at once.
    private static final int TOO_LARGE = 413;

    /// The error code for a probable secret, the same as in registries.
    static final String SECRET = "probable-secret";

    private final RegistryTransport transport;
    private final Progress progress;

    public BundlePush(RegistryTransport transport, Progress progress) {
        this.transport = transport;
        this.progress = progress;
    }

    public Pushed run(List<LocalAsset> assets, Reference reference, PushOptions options) {
        var content = measure(assets, reference, options);
        checkSecrets(assets, options);
        return seen(send(reference, content, options), options);
    }

    private Pushed send(Reference reference, Content content, PushOptions options) {
        var json = inline(content, options);
        if (json == null) {
            return blobByBlob(reference, content, options);
        }
        try {
            return new JsonPush(transport, progress).run(reference, content, json);
        } catch (SheafException.InvalidRequest e) {
            if (e.status() != TOO_LARGE) {
                throw e;
            }
            // A node with a small heap, or a proxy, takes less in one request.
            progress.notice("the registry, or a proxy before it, refused " + ByteSizes.text(json.length)
                    + " in one request as too large; the files follow one by one");
            progress.step(Progress.Step.PREPARING);
            return blobByBlob(reference, content, options);
        }
    }

    /// Adds who may read the version now. That is not worth a failure: the version is published.
    private Pushed seen(Pushed pushed, PushOptions options) {
        if (pushed.held() != null) {
            return pushed; // the bundle may not exist yet
        }
        BundleRecord bundle;
        try {
            bundle = transport.json(HttpCall.get(transport.at(pushed.repository(), "")), BundleRecord.class);
        } catch (SheafException e) {
            return pushed; // a key may be for writing alone
        }
        if (options.visibility() == Visibility.PUBLIC && pushed.route() == Pushed.Route.JSON) {
            noticePrivate(progress, bundle);
        }
        return pushed.withVisibility(Stream.of(Visibility.values())
                .filter(one -> one.toString().equals(bundle.visibility()))
                .findFirst()
                .orElse(null));
    }

    private Pushed blobByBlob(Reference reference, Content content, PushOptions options) {
        RegistryLimits.of(transport).check(content);
        if (options.message() != null) {
            progress.notice("the message is left out: only a push in one request has one");
        }
        return new OciPush(transport, progress).run(reference, content, options);
    }

    private void checkSecrets(List<LocalAsset> assets, PushOptions options) {
        var found = SecretLint.check(assets);
        if (found.isEmpty() || options.secrets()) {
            found.forEach(finding -> progress.notice(ErrorResponses.showable(finding.toString())));
            return;
        }
        throw new SheafException.InvalidRequest(
                "nothing was sent, because " + (found.size() == 1 ? "a line looks" : found.size() + " lines look")
                        + " like a secret",
                new SheafException.Answer(0, SECRET, null, null, null),
                found.stream()
                        .map(finding -> new Problem.FieldError("", SECRET, finding.toString()))
                        .toList());
    }

    /// Reports that an existing bundle stays private: a push makes only new bundles public.
    static void noticePrivate(Progress progress, BundleRecord bundle) {
        if (Visibility.PRIVATE.toString().equals(bundle.visibility())) {
            String ref = ErrorResponses.showable(String.valueOf(bundle.ref()));
            progress.notice(ref + " stays private: a push only makes new bundles public");
            progress.hint("to make it public: sheaf visibility " + ref + " public");
        }
    }

    /// Returns what [#run] would do.
    public PushPlan plan(List<LocalAsset> assets, Reference reference, PushOptions options) {
        var content = measure(assets, reference, options);
        var json = inline(content, options);
        var limits = RegistryLimits.of(transport);
        var route = json == null || !limits.allowPush(json.length) ? Pushed.Route.OCI : Pushed.Route.JSON;
        return new PushOutlook(transport, limits).of(content, options, route);
    }

    /// Returns the push as one request; null if it is too large, or the options require a push blob by blob.
    private static byte @Nullable [] inline(Content content, PushOptions options) {
        boolean large = content.assets().stream().anyMatch(asset -> asset.size() > LARGEST_INLINE)
                || content.sizeBytes() > LARGEST_JSON;
        if (large || options.oci()) {
            return null;
        }
        var json = JsonPush.body(content, options);
        return json.length <= LARGEST_JSON ? json : null;
    }

    private static Content measure(List<LocalAsset> assets, Reference reference, PushOptions options) {
        if (!(reference.selector() instanceof VersionSelector.ByVersion(Version version))) {
            throw new SheafException.InvalidRequest("a push needs an exact version: write " + reference.repository()
                    + ":1.2.3 with the version to publish");
        }
        if (assets.isEmpty()) {
            throw new SheafException.InvalidRequest("there is nothing to push; a bundle needs at least one asset");
        }
        return measure(reference.repository(), version, assets, options);
    }

    private static Content measure(
            RepositoryName repository, Version version, List<LocalAsset> assets, PushOptions options) {
        var described = new ArrayList<OciPackaging.Asset>();
        for (LocalAsset asset : assets) {
            described.add(measure(asset));
        }
        String name = options.name() == null ? repository.bundle().value() : options.name();
        var packaging =
                OciPackaging.of(repository, version, name, options.description(), described, options.requires());
        return new Content(repository, version, name, assets, described, packaging);
    }

    private static OciPackaging.Asset measure(LocalAsset asset) {
        var hash = Digest.Algorithm.SHA256.newHash();
        long size = 0;
        try (InputStream in = Files.newInputStream(asset.file(), LinkOption.NOFOLLOW_LINKS)) {
            byte[] buffer = new byte[64 << 10];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                hash.update(buffer, 0, count);
                size += count;
            }
        } catch (IOException e) {
            throw DiskFailures.failed("cannot read " + asset.file(), e);
        }
        var digest = Digest.finish(Digest.Algorithm.SHA256, hash.digest());
        return new OciPackaging.Asset(asset.path(), asset.type(), digest, size, asset.mediaType(), asset.executable());
    }

    /// The content of a push, with digests and sizes.
    ///
    /// @param assets descriptions of `files`, in the same order
    record Content(
            RepositoryName repository,
            Version version,
            String name,
            List<LocalAsset> files,
            List<OciPackaging.Asset> assets,
            OciPackaging packaging) {
        Content {
            files = List.copyOf(files);
            assets = List.copyOf(assets);
        }

        long sizeBytes() {
            return assets.stream().mapToLong(OciPackaging.Asset::size).sum();
        }

        /// Returns the document with the published digest. If the registry does not support modes, or the
        /// version was published before it did, this is the document without modes, and `progress` gets a
        /// notice.
        ///
        /// @throws SheafException.Integrity if the digest is neither of the two
        OciPackaging.Document published(Digest digest, Progress progress) {
            if (digest.equals(packaging.manifest().digest())) {
                return packaging.manifest();
            }
            var plain = packaging.withoutModes().manifest();
            if (!digest.equals(plain.digest())) {
                throw new SheafException.Integrity(
                        "the registry published manifest " + digest + ", but the content that was sent has "
                                + packaging.manifest().digest());
            }
            long lost = assets.stream().filter(OciPackaging.Asset::executable).count();
            progress.notice("the registry stores " + repository + ":" + version + " without the executable bit of "
                    + lost + " file(s)");
            return plain;
        }

        /// Returns a notice if the existing version is yanked: a push does not undo a yank.
        Optional<String> yanked(VersionDetail there) {
            var yank = there.yank();
            if (yank == null) {
                return Optional.empty();
            }
            String name = repository + ":" + version;
            String why = yank.reason().isBlank() ? "" : " (" + yank.reason() + ")";
            return Optional.of(ErrorResponses.showable(
                    name + " is yanked" + why + " and stays yanked: latest and ranges skip it"));
        }

        Pushed pushed(Digest manifest, Pushed.Route route, boolean known) {
            return new Pushed(repository, version, manifest, assets.size(), sizeBytes(), route, null, known, null);
        }

        /// Returns the result of a push that needs approval.
        Pushed held(Pushed.Route route, HeldVersion held) {
            var manifest = packaging.manifest().digest();
            return new Pushed(repository, version, manifest, assets.size(), sizeBytes(), route, null, false, held);
        }
    }
}
