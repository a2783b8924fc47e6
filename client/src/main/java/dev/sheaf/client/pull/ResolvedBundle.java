package dev.sheaf.client.pull;

import dev.sheaf.client.api.Asset;
import dev.sheaf.client.api.Blob;
import dev.sheaf.client.api.LockEntry;
import dev.sheaf.client.api.SheafException;
import dev.sheaf.client.io.WireJson;
import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.model.wire.bundle.Resolution;
import java.util.List;

/// A parsed resolve answer: it is about the reference, and its paths are valid.
/// [Writable][dev.sheaf.client.folder.WritableFiles] decides whether they can be written to a folder.
///
/// @param manifest the digest of the OCI manifest
public record ResolvedBundle(RepositoryName repository, Version version, Digest manifest, List<Asset> assets) {
    public ResolvedBundle {
        assets = List.copyOf(assets);
    }

    /// @throws SheafException.Integrity if the answer is about something else, or has an asset with a path outside
    /// of the folder
    public static ResolvedBundle of(Reference asked, Resolution answer) {
        try {
            var bundle = new ResolvedBundle(
                    RepositoryName.parse(WireJson.present(answer.namespace(), "namespace") + "/"
                            + WireJson.present(answer.slug(), "slug")),
                    Version.parse(WireJson.present(answer.version(), "version")),
                    Digest.parse(WireJson.present(answer.ociDigest(), "ociDigest")),
                    WireJson.present(
                                    WireJson.present(answer.manifest(), "manifest")
                                            .layers(),
                                    "manifest.layers")
                            .stream()
                            .map(ResolvedBundle::asset)
                            .toList());
            bundle.checkAnswers(asked);
            return bundle;
        } catch (ProblemException e) {
            throw new SheafException.Integrity("the resolve answer for " + asked + " is refused: " + e.getMessage());
        }
    }

    /// Returns the bundle of a lock file entry. Only the types of assets may differ from the registry's answer.
    public static ResolvedBundle of(LockEntry locked) {
        return new ResolvedBundle(
                locked.reference().repository(), locked.version(), locked.manifest(), locked.assets());
    }

    /// Returns whether [#of(Reference, Resolution)] would accept it.
    static boolean isAbout(Reference asked, Resolution answer) {
        try {
            return of(asked, answer).repository().equals(asked.repository());
        } catch (SheafException e) {
            return false;
        }
    }

    private static Asset asset(Layer layer) {
        return new Asset(
                new LogicalPath(WireJson.present(layer.logicalPath(), "logicalPath")),
                AssetType.ofInput(WireJson.present(layer.assetType(), "assetType")),
                new Blob(
                        Digest.ofSha256Hex(WireJson.present(layer.contentSha256(), "contentSha256")),
                        layer.sizeBytes()),
                layer.executable());
    }

    private void checkAnswers(Reference asked) {
        if (!repository.equals(asked.repository()) || !asked.selector().accepts(version, manifest)) {
            throw new SheafException.Integrity(
                    "asked for " + asked + ", the registry answered " + repository + ":" + version + "@" + manifest);
        }
    }
}
