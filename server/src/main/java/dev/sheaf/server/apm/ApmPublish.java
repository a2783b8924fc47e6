package dev.sheaf.server.apm;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.BundleProfile;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.publish.Publish;
import dev.sheaf.server.bundle.publish.Push;
import dev.sheaf.server.bundle.publish.PushRequest;
import dev.sheaf.server.bundle.publish.SentAsset;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.registry.Descriptor;
import dev.sheaf.server.registry.content.ManifestDocument;
import dev.sheaf.server.registry.content.Manifests;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Publishes packages, each with its archive. The archive is kept as the layer of a manifest that refers to the
/// version's: like a signature it is counted, verified, backed up and deleted with the version. Thread-safe.
public final class ApmPublish {
    private static final String TYPE = "application/vnd.sheaf.apm.archive.v1";
    private static final byte[] EMPTY_CONFIG = "{}".getBytes(StandardCharsets.UTF_8);

    private final Bundles bundles;
    private final Resolve resolve;
    private final Push push;
    private final Manifests manifests;

    public ApmPublish(Bundles bundles, Resolve resolve, Push push, Manifests manifests) {
        this.bundles = bundles;
        this.resolve = resolve;
        this.push = push;
        this.manifests = manifests;
    }

    /// Refuses early, before the archive is read, a caller who may not publish under the name, and a version that
    /// exists.
    ///
    /// @param version returns the version, or refuses it
    /// @throws ProblemException those of [Push#admit]; conflict
    public Version admit(ChangeOrigin origin, RepositoryName name, Supplier<Version> version) {
        push.admit(origin, name);
        var wanted = version.get();
        bundles.find(name)
                .flatMap(bundle -> resolve.find(bundle, new VersionSelector.ByVersion(wanted)))
                .ifPresent(found -> {
                    throw exists(name, found.version()).raise();
                });
        return wanted;
    }

    private static Problem exists(RepositoryName name, VersionRow version) {
        return new Problem.Conflict("version " + version.version() + " of " + name + " was already published at "
                + version.publishedAt() + "; a version never changes, so publish a new one");
    }

    /// A new version and the digest of its archive.
    ///
    /// @param outcome the version, or that it needs approval; its archive is then not kept
    public record Published(Publish.Outcome outcome, Digest archive) {}

    /// Publishes a version that does not exist yet, not even with the same content.
    ///
    /// @throws ProblemException conflict if it exists; those of [Push#push]
    public Published publish(ChangeOrigin origin, RepositoryName name, Version version, ApmPackage sent) {
        var digest = Digest.sha256(sent.archive());
        var layer = new Descriptor(sent.form().mediaType(), digest, sent.archive().length, Map.of(), false);
        var profile = BundleProfile.of(name.bundle().value(), sent.description(), null, null);
        var request = new PushRequest(
                name,
                profile,
                null,
                version,
                List.of(),
                null,
                sent.files().stream()
                        .map(file -> SentAsset.of(file.path(), file.content(), file.isExecutable()))
                        .toList(),
                List.of());
        var with = new Publish.With(List.of(sent.archive(), EMPTY_CONFIG), (tx, published, manifest) -> {
            var row = published.version().version();
            if (published.notes() == null) {
                throw exists(name, row).raise();
            }
            manifests.accept(tx, published.bundle().repository(), holder(layer, manifest));
            ApmArchiveRows.insert(tx, new ApmArchiveRows.Sent(row.id(), layer.mediaType(), digest, layer.size()));
        });
        return new Published(push.push(origin, request, with), digest);
    }

    /// Returns the manifest that holds an archive, and refers to the version's.
    private static ManifestDocument holder(Descriptor layer, ManifestDocument subject) {
        var config = new Descriptor(MediaType.EMPTY, Digest.sha256(EMPTY_CONFIG), EMPTY_CONFIG.length, Map.of(), false);
        String json = """
                {"schemaVersion":2,"mediaType":"%s","artifactType":"%s","config":%s,"layers":[%s],"subject":%s}""".formatted(
                        MediaType.IMAGE_MANIFEST,
                        TYPE,
                        json(config),
                        json(layer),
                        json(new Descriptor(subject.mediaType(), subject.digest(), subject.size(), Map.of(), false)));
        var outline = new ManifestDocument.Outline(
                MediaType.IMAGE_MANIFEST, TYPE, subject.digest(), config, List.of(layer), List.of(), Map.of());
        return ManifestDocument.of(Digest.Algorithm.SHA256, json.getBytes(StandardCharsets.UTF_8), outline);
    }

    private static String json(Descriptor of) {
        return "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d}".formatted(of.mediaType(), of.digest(), of.size());
    }
}
