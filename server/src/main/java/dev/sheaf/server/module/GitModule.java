package dev.sheaf.server.module;

import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.git.Fetches;
import dev.sheaf.server.git.GitApi;
import dev.sheaf.server.git.history.Histories;
import dev.sheaf.server.http.message.Surface;
import dev.sheaf.server.node.Node;
import java.util.List;

/// Bundles as git repositories.
final class GitModule implements Module {
    private final Surface surface;

    GitModule(Node node, RegistryModule registry, BundleModule bundle) {
        var database = node.database();
        var contents = new AssetBytes(registry.blobs());
        var histories = new Histories(database, registry.tags(), contents, node.cpu());
        var pools = new Fetches.Pools(node.cpu(), node.searches());
        var fetches = new Fetches(histories, database, contents, pools, bundle.downloads());
        this.surface = new GitApi(bundle.bundles(), fetches).surface();
    }

    @Override
    public List<Surface> surfaces() {
        return List.of(surface);
    }
}
