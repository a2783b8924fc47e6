package dev.sheaf.server.module;

import dev.sheaf.engine.db.InvalidatedCache;
import dev.sheaf.server.agents.BundleSkills;
import dev.sheaf.server.agents.DiscoveryApi;
import dev.sheaf.server.agents.MarketplaceApi;
import dev.sheaf.server.agents.NamespaceApi;
import dev.sheaf.server.agents.PluginEntries;
import dev.sheaf.server.agents.SkillFiles;
import dev.sheaf.server.agents.SkillIndex;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.version.VersionWarnings;
import dev.sheaf.server.console.ConsolePaths;
import dev.sheaf.server.http.message.ProblemJson;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import dev.sheaf.server.registry.api.DerivedApi;
import dev.sheaf.server.skill.ClaudePlugins;
import dev.sheaf.server.skill.SkillArchives;
import dev.sheaf.server.skill.Skills;
import dev.sheaf.server.skill.image.DerivedImages;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// Skills of bundles, for programs that do not support bundles.
final class SkillModule implements FeatureModule {
    private static final String PLACE = "/.well-known/agent-skills/";
    private static final long ON_DISK = 512 << 20;

    private final SkillArchives archives;
    private final Skills skills;
    private final BundleSkills found;
    private final DiscoveryApi discovery;
    private final NamespaceApi ofNamespaces;
    private final ClaudePlugins claudePlugins;
    private final PluginEntries plugins;
    private final MarketplaceApi marketplaces;
    private final DerivedApi derived;

    SkillModule(NodeBase node, OrgModule org, RegistryModule registry, BundleModule bundle) {
        var contents = new AssetBytes(registry.blobs());
        this.archives = new SkillArchives(
                node.database(), contents, node.cpu(), node.cache("archives", ON_DISK, InvalidatedCache.LONGEST));
        this.skills = new Skills(contents, archives, node.cpu());
        this.found = new BundleSkills(bundle.bundles(), bundle.resolve(), skills);
        var index = new SkillIndex(bundle.bundles(), skills);
        var files = new SkillFiles(contents);
        this.discovery = new DiscoveryApi(found, index, archives, files, bundle.downloads());
        this.ofNamespaces = new NamespaceApi(org.namespaces(), bundle.list(), found, index, files);
        this.claudePlugins = new ClaudePlugins(skills, contents, node.cpu());
        this.plugins = new PluginEntries(found, claudePlugins, archives, contents, bundle.downloads());
        var images = new DerivedImages(
                node.database(),
                registry.tags(),
                bundle.resolve(),
                skills,
                archives,
                new DerivedImages.Reading(contents, node.cpu()));
        this.derived = new DerivedApi(
                org.namespaces(),
                bundle.bundles(),
                bundle.resolve(),
                images,
                new DerivedApi.Notes(registry.manifests(), new VersionWarnings(node.database()), bundle.downloads()));
        this.marketplaces = new MarketplaceApi(org.namespaces(), bundle.list(), found, plugins);
    }

    /// Selects the paths of the surface. Runs for every request, so it must be fast.
    private static boolean isForAgents(String path) {
        boolean named = path.contains(PLACE) || path.endsWith("/marketplace.json") || path.endsWith("/plugin.zip");
        return named && !ConsolePaths.isOfFiles(path);
    }

    Skills skills() {
        return skills;
    }

    SkillArchives archives() {
        return archives;
    }

    ClaudePlugins claudePlugins() {
        return claudePlugins;
    }

    DiscoveryApi discovery() {
        return discovery;
    }

    BundleSkills found() {
        return found;
    }

    /// Returns surfaces that also accept keys as passwords, because some programs send user and password from
    /// the address that way.
    @Override
    public List<RouteSurface> surfaces() {
        List<Route> routes = Stream.of(
                        discovery.routes(), ofNamespaces.routes(), plugins.routes(), marketplaces.routes())
                .flatMap(List::stream)
                .toList();
        return List.of(
                new RouteSurface("/", SkillModule::isForAgents, true, false, ProblemJson::render, routes),
                derived.surface());
    }

    @Override
    public void begin(NodeTimer timer) {
        timer.every("deleting old archives of skills", Duration.ofHours(6), archives::sweep);
    }
}
