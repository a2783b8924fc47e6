package dev.sheaf.server.bundle.publish;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.oci.BundleConfig;
import dev.sheaf.model.oci.OciPackaging;
import dev.sheaf.model.passport.Passport;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.BundleProfile;
import dev.sheaf.server.bundle.check.ContentChecks;
import dev.sheaf.server.bundle.passport.VersionPassports;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.ManifestDocument;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Pushes of manifests by OCI clients (contract 4). A push to a version's tag publishes that version, a push to
/// another tag moves the tag, and a push by digest only stores the manifest. A repository of more than two parts has
/// no bundle, so all its tags are only tags. Each method checks the access rule
/// inside its transaction.
public final class OciPush {

    private final Publish publish;
    private final StoredContentChecks inspector;
    private final PackedLayers packed;
    private final Repositories repositories;
    private final VersionPassports passports;

    public OciPush(
            Publish publish,
            StoredContentChecks inspector,
            PackedLayers packed,
            Repositories repositories,
            VersionPassports passports) {
        this.repositories = repositories;
        this.passports = passports;
        this.publish = publish;
        this.inspector = inspector;
        this.packed = packed;
    }

    /// Returns the repository of a first push, created if it is missing. Claims a free namespace if the
    /// installation allows that.
    ///
    /// @throws ProblemException those of [Publish#version]
    public Repository open(ChangeOrigin origin, RepositoryName name) {
        return publish.open(origin, name);
    }

    /// A tag to push a manifest to.
    ///
    /// @param config the manifest's config if it is a bundle's config and the tag is a version; used only if it
    ///     describes these layers
    public record Target(String tag, @Nullable BundleConfig config) {}

    /// Stores a manifest under its digest and pushes it to the tags, all of them or none.
    ///
    /// @param admitting receives the number of bytes to be read if a policy asks what is in them; may refuse by
    /// throwing
    /// @throws ProblemException those of [Publish#version]; manifest-invalid if a layer of a version has no
    /// SHA-256 digest
    public Publish.Put push(
            ChangeOrigin origin,
            RepositoryName name,
            ManifestDocument document,
            List<Target> targets,
            LongConsumer admitting) {
        var reading = new Publish.Reading() {
            @Override
            public Passport passport(NewVersion.Content content) {
                return passports.required(
                        repositories.find(name).orElseThrow(() -> new Problem.BundleNotFound(name, "").raise()),
                        document.digest(),
                        content.assets(),
                        admitting);
            }

            @Override
            public Passport passport(AutomaticApproval.Base base) {
                return base.passport(passports, admitting);
            }
        };
        var versions = new ArrayList<NewVersion>();
        var tags = new ArrayList<String>();
        if (!name.mayHaveBundle()) {
            targets.forEach(target -> tags.add(target.tag()));
            return publish.manifest(origin, name, document, new Publish.Names(List.of(), tags), reading);
        }
        for (var target : targets) {
            Version.ofOciTag(target.tag())
                    .ifPresentOrElse(
                            version -> versions.add(publication(name, version, document, target.config())),
                            () -> tags.add(Tag.parse(target.tag()).value()));
        }
        return publish.manifest(origin, name, document, new Publish.Names(versions, tags), reading);
    }

    private NewVersion publication(
            RepositoryName name, Version version, ManifestDocument document, @Nullable BundleConfig config) {
        checkDigests(version, document);
        var described = Optional.ofNullable(config).filter(bundle -> describes(bundle, document));
        var assets =
                described.map(bundle -> assets(bundle, document)).orElseGet(() -> LayerAssets.of(document.layers()));
        // whatever else it describes: clients that verify the config find them there
        var requires = config == null ? List.<Requirement>of() : config.requires();
        var description = BundleProfile.of(
                described.map(BundleConfig::name).orElse(name.bundle().value()),
                described.map(BundleConfig::description).orElse(null),
                null,
                null);
        return new NewVersion(
                name,
                null,
                description,
                new NewVersion.Content(version, assets, document, requires),
                List.of(),
                List.of(),
                notes(name, version, document, assets));
    }

    private NewVersion.Notes notes(
            RepositoryName name, Version version, ManifestDocument document, List<Asset> assets) {
        var warnings = warnings(name, version, assets);
        var listed = packed.of(name, document, assets);
        warnings.addAll(listed.warnings());
        return new NewVersion.Notes(null, warnings, listed.files(), null);
    }

    private ArrayList<ContentChecks.Warning> warnings(RepositoryName name, Version version, List<Asset> assets) {
        var warnings = new ArrayList<>(inspector.of(name, assets, StoredContentChecks.PUSHED_MANIFEST));
        warnings.addAll(inspector.ofParts(name, version, assets));
        // the answer to an OCI push has no warnings, and images are not pulled in one request
        warnings.removeIf(warning -> warning.code().equals(ContentChecks.BINARY));
        return warnings;
    }

    /// Checks that all layers have SHA-256 digests. The API identifies the content of a version by SHA-256
    /// (contract 3.1) and has no field for other digests.
    private static void checkDigests(Version version, ManifestDocument document) {
        for (var layer : document.layers()) {
            if (layer.digest().algorithm() != Digest.Algorithm.SHA256) {
                throw new Problem.ManifestInvalid("the layer " + layer.digest() + " of version " + version
                                + " has no SHA-256 digest, which versions need; push the layer with a SHA-256"
                                + " digest, or the manifest to a tag that is not a version")
                        .raise();
            }
        }
    }

    /// Returns the assets of the config. Only the layers say whether they are executable.
    private static List<Asset> assets(BundleConfig config, ManifestDocument document) {
        var executable = document.layers().stream()
                .filter(layer -> OciPackaging.isExecutable(layer.annotations()))
                .flatMap(layer -> LayerAssets.title(layer).stream())
                .collect(Collectors.toSet());
        return config.assets().stream()
                .map(asset -> new Asset(
                        asset.path(),
                        asset.type(),
                        null,
                        asset.digest(),
                        asset.size(),
                        asset.mediaType(),
                        executable.contains(asset.path().value())))
                .toList();
    }

    private record Held(String path, Digest digest, long size) {}

    /// Returns whether the layers are the assets that the config describes. Its name and version may differ: a
    /// bundle that is copied to another name keeps its manifest and digest.
    private static boolean describes(BundleConfig config, ManifestDocument document) {
        var described = new HashSet<Held>();
        config.assets().forEach(asset -> described.add(new Held(asset.path().value(), asset.digest(), asset.size())));
        var layers = new HashSet<Held>();
        document.layers()
                .forEach(layer ->
                        layers.add(new Held(LayerAssets.title(layer).orElse(""), layer.digest(), layer.size())));
        return described.equals(layers)
                && config.assets().size() == document.layers().size();
    }
}
