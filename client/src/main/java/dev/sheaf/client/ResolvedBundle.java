package dev.sheaf.client;

import dev.sheaf.model.AssetType;
import dev.sheaf.model.Digest;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Selector;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.Layer;
import dev.sheaf.model.wire.Resolution;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A resolve answer that has been read: it is about what was asked, and its paths can be written to a folder.
///
/// @param manifest digest of the OCI manifest
record ResolvedBundle(RepositoryName repository, Version version, Digest manifest, List<Asset> assets) {
    record Asset(LogicalPath path, AssetType type, Blob blob) {}

    ResolvedBundle {
        assets = List.copyOf(assets);
    }

    /// @throws SheafException.Integrity where the answer is about something else, or names an asset that would land
    ///     outside the folder or on top of another
    static ResolvedBundle of(Reference asked, Resolution answer) {
        try {
            var bundle = new ResolvedBundle(
                    RepositoryName.parse(
                            Json.present(answer.namespace(), "namespace") + "/" + Json.present(answer.slug(), "slug")),
                    Version.parse(Json.present(answer.version(), "version")),
                    Digest.parse(Json.present(answer.ociDigest(), "ociDigest")),
                    Json.present(Json.present(answer.manifest(), "manifest").layers(), "manifest.layers").stream()
                            .map(ResolvedBundle::asset)
                            .toList());
            bundle.checkAnswers(asked);
            checkPaths(bundle.assets());
            return bundle;
        } catch (ProblemException e) {
            throw new SheafException.Integrity("the resolve answer for " + asked + " is refused: " + e.getMessage());
        }
    }

    /// Whether [#of] would take it.
    static boolean isAbout(Reference asked, Resolution answer) {
        try {
            return of(asked, answer).repository().equals(asked.repository());
        } catch (SheafException e) {
            return false;
        }
    }

    private static Asset asset(Layer layer) {
        return new Asset(
                LogicalPath.parse(Json.present(layer.logicalPath(), "logicalPath")),
                AssetType.ofInput(Json.present(layer.assetType(), "assetType")),
                new Blob(Digest.ofSha256Hex(Json.present(layer.contentSha256(), "contentSha256")), layer.sizeBytes()));
    }

    private void checkAnswers(Reference asked) {
        boolean same = repository.equals(asked.repository())
                && switch (asked.selector()) {
                    case Selector.ByDigest(Digest digest) -> digest.equals(manifest);
                    case Selector.ByVersion(Version wanted) -> wanted.compareTo(version) == 0;
                    default -> true;
                };
        if (!same) {
            throw new SheafException.Integrity(
                    "asked for " + asked + ", the registry answered " + repository + ":" + version + "@" + manifest);
        }
    }

    /// No two paths may meet on a file system that ignores case, and none may be a folder of another.
    static void checkPaths(List<Asset> assets) {
        Set<String> files = new HashSet<>();
        Set<String> folders = new HashSet<>();
        for (Asset asset : assets) {
            String path = asset.path().folded();
            if (!files.add(path)) {
                throw clash(asset);
            }
            for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
                folders.add(path.substring(0, slash));
            }
        }
        for (Asset asset : assets) {
            if (folders.contains(asset.path().folded())) {
                throw clash(asset);
            }
        }
    }

    private static SheafException clash(Asset asset) {
        return new SheafException.Integrity("the path " + asset.path() + " clashes with another asset of the bundle");
    }
}
