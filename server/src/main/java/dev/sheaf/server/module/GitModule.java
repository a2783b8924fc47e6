package dev.sheaf.server.module;

import dev.sheaf.engine.blob.DiskRoom;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.SkillDocuments;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.git.Fetches;
import dev.sheaf.server.git.GitApi;
import dev.sheaf.server.git.MarketplaceFetches;
import dev.sheaf.server.git.history.Histories;
import dev.sheaf.server.git.marketplace.GitMarketplaces;
import dev.sheaf.server.git.repository.RepositoryCache;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import java.time.Duration;
import java.util.List;

/// Bundles as git repositories, and namespaces as marketplaces for git.
final class GitModule implements FeatureModule {
    private final RouteSurface surface;
    private final Histories histories;

    GitModule(NodeBase node, RegistryModule registry, BundleModule bundle, SkillModule skills) {
        var database = node.database();
        var contents = new AssetBytes(registry.blobs());
        var folder = node.cacheFolder("git");
        var cache = new RepositoryCache(
                folder,
                DiskRoom.of(folder, node.config().number(Setting.MIN_FREE_BYTES)),
                node.config().number(Setting.GIT_CACHE_BYTES));
        this.histories = new Histories(database, registry.tags(), contents, node.searches(), cache);
        var fetches = new Fetches(histories, cache, database, node.searches(), bundle.downloads());
        var marketplaces = new GitMarketplaces(
                database,
                bundle.list(),
                bundle.bundles(),
                bundle.resolve(),
                skills.claudePlugins(),
                new SkillDocuments(database),
                histories,
                bundle.changes());
        this.surface =
                new GitApi(bundle.bundles(), fetches, new MarketplaceFetches(marketplaces, node.searches())).surface();
    }

    @Override
    public List<RouteSurface> surfaces() {
        return List.of(surface);
    }

    @Override
    public void begin(NodeTimer timer) {
        timer.every("removing purged content from the cache for git", Duration.ofMinutes(1), histories::forgetPurged);
    }
}
