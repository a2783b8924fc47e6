package dev.sheaf.server.module;

import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.mcp.BundleTools;
import dev.sheaf.server.mcp.FileTool;
import dev.sheaf.server.mcp.FrontMatters;
import dev.sheaf.server.mcp.McpApi;
import dev.sheaf.server.mcp.ModelTools;
import dev.sheaf.server.mcp.ReadableBundles;
import dev.sheaf.server.mcp.SkillMethods;
import java.util.List;

/// Bundles and skills for clients of the Model Context Protocol.
final class McpModule implements FeatureModule {
    private final RouteSurface surface;

    McpModule(RegistryModule registry, BundleModule bundle, HubModule hub, SkillModule skill) {
        var contents = new AssetBytes(registry.blobs());
        var fronts = new FrontMatters(skill.skills());
        var shelf =
                new ReadableBundles(bundle.bundles(), bundle.resolve(), bundle.list(), skill.found(), skill.skills());
        var tools = new ModelTools(
                new BundleTools(shelf, fronts, hub.hub()), new FileTool(shelf, contents, bundle.downloads()));
        this.surface =
                new McpApi(shelf, new SkillMethods(shelf, fronts, contents, bundle.downloads()), tools).surface();
    }

    @Override
    public List<RouteSurface> surfaces() {
        return List.of(surface);
    }
}
