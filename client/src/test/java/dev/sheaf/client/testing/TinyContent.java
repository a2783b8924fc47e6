package dev.sheaf.client.testing;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.oci.OciPackaging;
import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.model.wire.bundle.PulledBundle;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.VersionDetail;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The content of [TinyRegistry]: blobs and manifests by digest, versions by reference. Tests may store wrong
/// bytes.
public final class TinyContent {
    private static final Instant THEN = Instant.parse("2026-01-02T03:04:05Z");

    public final Map<String, byte[]> blobs = new ConcurrentHashMap<>();
    /// The time of publishing for later calls of publish.
    public volatile Instant publishedAt = THEN;

    /// The paths of executable files for later calls of publish.
    public final Set<String> executables = ConcurrentHashMap.newKeySet();

    /// Whether responses contain modes; those of older registries do not.
    public volatile boolean modes = true;

    public final Map<String, byte[]> manifests = new ConcurrentHashMap<>();

    /// The body of the last PATCH of each bundle, by `namespace/bundle`.
    public final Map<String, String> descriptions = new ConcurrentHashMap<>();

    /// Versions by `namespace/bundle:version`, `:tag` and without suffix.
    public final Map<String, Resolution> versions = new ConcurrentHashMap<>();

    /// Publishes these files, path to content, as `namespace/bundle:version` and as latest.
    public Resolution publish(String reference, Map<String, byte[]> files) {
        var repository = Reference.parse(reference).repository();
        var version = ((VersionSelector.ByVersion) Reference.parse(reference).selector()).version();
        var assets = new ArrayList<OciPackaging.Asset>();
        new TreeMap<>(files).forEach((name, bytes) -> {
            var path = new LogicalPath(name);
            var digest = Digest.sha256(bytes);
            blobs.put(digest.toString(), bytes);
            assets.add(new OciPackaging.Asset(
                    path,
                    AssetType.infer(path),
                    digest,
                    bytes.length,
                    MediaType.infer(path),
                    executables.contains(name)));
        });
        var manifest = OciPackaging.of(repository, version, repository.bundle().value(), null, assets, List.of())
                .manifest();
        manifests.put(manifest.digest().toString(), manifest.bytes());
        var resolution = resolution(repository, version, manifest.digest(), layers(assets), publishedAt);
        versions.put(reference, resolution);
        versions.put(repository.toString(), resolution);
        return resolution;
    }

    /// Withdraws a version, wherever it is found.
    public void yank(String reference, String reason, @Nullable String replacement) {
        var there = Objects.requireNonNull(versions.get(reference));
        var yanked = new Resolution(
                there.bundleId(),
                there.versionId(),
                there.namespace(),
                there.slug(),
                there.ref(),
                there.version(),
                there.name(),
                there.description(),
                there.sourceType(),
                "yanked",
                there.visibility(),
                there.ociRef(),
                there.ociDigest(),
                there.ociPinnedRef(),
                there.manifest(),
                there.sizeBytes(),
                there.requested(),
                there.resolvedBy(),
                there.tags(),
                there.publishedAt(),
                there.publishedBy(),
                new Resolution.Yank(THEN, "somebody", reason, null, replacement),
                there.deprecation(),
                there.isSigned(),
                there.signerType(),
                there.signedAt(),
                there.closure(),
                there.skipped());
        versions.replaceAll((name, version) -> version.equals(there) ? yanked : version);
    }

    /// Stores a copy of a manifest with one text replaced; returns its digest.
    public String rewritten(String digest, String from, String to) {
        String text = new String(Objects.requireNonNull(manifests.get(digest)), StandardCharsets.UTF_8);
        if (!text.contains(from)) {
            throw new IllegalArgumentException(text + " has no " + from);
        }
        byte[] bytes = text.replace(from, to).getBytes(StandardCharsets.UTF_8);
        String other = Digest.sha256(bytes).toString();
        manifests.put(other, bytes);
        return other;
    }

    /// Returns the version of a selector; the empty selector means the last one published.
    Optional<Resolution> find(String repository, String selector) {
        return versions.entrySet().stream()
                .filter(entry -> entry.getKey().equals(selector.isEmpty() ? repository : repository + ":" + selector)
                        || (entry.getKey().startsWith(repository)
                                && entry.getValue().ociDigest().equals(selector)))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /// Returns the last published version of at least this age.
    Optional<Resolution> oldEnough(String repository, Duration age) {
        var until = Instant.now().minus(age);
        return versions.values().stream()
                .filter(version -> version.ref().equals(repository)
                        && !version.publishedAt().isAfter(until))
                .max(Comparator.comparing(Resolution::publishedAt));
    }

    /// Returns all files of a version, text as text.
    public PulledBundle whole(Resolution version) {
        var files = version.manifest().layers().stream()
                .map(layer -> {
                    byte[] bytes = Objects.requireNonNull(blobs.get("sha256:" + layer.contentSha256()));
                    String text = new String(bytes, StandardCharsets.UTF_8);
                    boolean isText = Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes);
                    return new PulledBundle.Asset(
                            layer.logicalPath(),
                            layer.assetType(),
                            isText ? text : "",
                            layer.mediaType(),
                            layer.contentSha256(),
                            bytes.length,
                            layer.executable(),
                            isText ? null : Base64.getEncoder().encodeToString(bytes));
                })
                .toList();
        return new PulledBundle(
                version.namespace(),
                version.slug(),
                version.version(),
                version.name(),
                null,
                version.ociDigest(),
                files,
                null);
    }

    private List<Layer> layers(List<OciPackaging.Asset> assets) {
        return assets.stream()
                .map(a -> new Layer(
                        UUID.randomUUID(),
                        a.path().value(),
                        a.type().toString(),
                        a.digest().hex(),
                        a.size(),
                        a.mediaType(),
                        modes ? a.executable() : null))
                .toList();
    }

    /// Returns a resolve answer with these layers.
    public static Resolution resolution(
            RepositoryName repository, Version version, Digest manifest, List<Layer> layers) {
        return resolution(repository, version, manifest, layers, THEN);
    }

    private static Resolution resolution(
            RepositoryName repository, Version version, Digest manifest, List<Layer> layers, Instant published) {
        return new Resolution(
                UUID.randomUUID(),
                UUID.randomUUID(),
                repository.namespace().value(),
                repository.bundle().value(),
                repository.toString(),
                version.toString(),
                repository.bundle().value(),
                null,
                "registry",
                "published",
                "private",
                "localhost/" + repository + ":" + version.ociTag(),
                manifest.toString(),
                "localhost/" + repository + "@" + manifest,
                new Resolution.Layers(layers),
                layers.stream().mapToLong(Layer::sizeBytes).sum(),
                version.toString(),
                "version",
                List.of("latest"),
                published,
                null,
                null,
                null,
                false,
                null,
                null,
                null,
                null);
    }

    static VersionDetail detail(Resolution r) {
        return new VersionDetail(
                r.versionId(),
                r.bundleId(),
                r.version(),
                r.state(),
                r.ociRef(),
                r.ociDigest(),
                null,
                null,
                null,
                null,
                THEN,
                new VersionDetail.Manifest(
                        r.namespace(), r.slug(), r.version(), r.manifest().layers()),
                r.tags(),
                r.sizeBytes(),
                null,
                List.of(),
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }
}
