package dev.sheaf.server.module;

import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleList;
import dev.sheaf.server.http.message.Surface;
import dev.sheaf.server.hub.Hub;
import dev.sheaf.server.mcp.BundleTools;
import dev.sheaf.server.mcp.FileTool;
import dev.sheaf.server.mcp.FrontMatters;
import dev.sheaf.server.mcp.McpApi;
import dev.sheaf.server.mcp.Shelf;
import dev.sheaf.server.mcp.SkillMethods;
import dev.sheaf.server.mcp.Tools;
import dev.sheaf.server.node.Node;
import java.util.List;

/// Bundles and skills for clients of the Model Context Protocol.
final class McpModule implements Module {
    private final Surface surface;

    McpModule(Node node, OrgModule org, RegistryModule registry, BundleModule bundle, SkillModule skill) {
        var database = node.database();
        var contents = new AssetBytes(registry.blobs());
        var fronts = new FrontMatters(skill.skills());
        var shelf = new Shelf(
                bundle.bundles(),
                bundle.resolve(),
                new BundleList(database, org.namespaces()),
                skill.found(),
                skill.skills());
        var tools = new Tools(
                new BundleTools(shelf, fronts, new Hub(database, node.searches())), new FileTool(shelf, contents));
        this.surface = new McpApi(shelf, new SkillMethods(shelf, fronts, contents), tools).surface();
    }

    @Override
    public List<Surface> surfaces() {
        return List.of(surface);
    }
}
