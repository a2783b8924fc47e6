package dev.sheaf.server.git.history;

import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.check.GitContent;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Decides by their paths which versions are withheld from git ([GitContent]).
final class GitRules {
    private GitRules() {}

    /// Returns why git would refuse the assets; empty if it would accept them.
    static Optional<String> refused(List<StoredAsset> assets) {
        var folders = new HashSet<String>();
        for (var asset : assets) {
            String path = asset.path().value();
            for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
                folders.add(path.substring(0, slash));
            }
        }
        return assets.stream()
                .flatMap(asset -> (folders.contains(asset.path().value())
                                ? Optional.of("is both a file and a folder")
                                : GitContent.refused(asset.path(), asset.size()))
                        .map(why -> asset.path() + " " + why).stream())
                .findFirst();
    }
}
