package dev.sheaf.server.bundle;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.plugin.PluginManifest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The names under which marketplaces list plugins.
public final class PluginNames {
    private PluginNames() {}

    /// Returns the name of a plugin: that of its manifest, unless another bundle of the namespace has this name, so
    /// that
    /// no bundle is listed under another's; otherwise that of its slug. Empty if the slug is too long for a name.
    ///
    /// @param manifest null if it has none that programs accept
    public static Optional<String> of(Bundles bundles, RepositoryName bundle, @Nullable PluginManifest manifest) {
        var slug = PluginManifest.nameOf(bundle.bundle().value());
        return Optional.ofNullable(manifest)
                .map(PluginManifest::name)
                .filter(name -> slug.equals(Optional.of(name)) || !isBundle(bundles, bundle, name))
                .or(() -> slug);
    }

    private static boolean isBundle(Bundles bundles, RepositoryName other, String name) {
        try {
            return bundles.find(new RepositoryName(other.namespace(), BundleName.parseBundle(name)))
                    .isPresent();
        } catch (ProblemException e) {
            return false; // no bundle can have it
        }
    }
}
