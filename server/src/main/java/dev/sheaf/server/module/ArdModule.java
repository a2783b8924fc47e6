package dev.sheaf.server.module;

import dev.sheaf.server.ard.ArdSearch;
import dev.sheaf.server.ard.api.ArdApi;
import dev.sheaf.server.catalog.AiCatalogs;
import dev.sheaf.server.catalog.CatalogContent;
import dev.sheaf.server.catalog.CatalogState;
import dev.sheaf.server.catalog.api.AiCatalogApi;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.node.NodeBase;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The AI Catalog, and the search of ARD.
final class ArdModule implements FeatureModule {
    private static final Logger LOG = LoggerFactory.getLogger(ArdModule.class);

    private final AiCatalogApi catalog;
    private final ArdApi ard;

    ArdModule(NodeBase node, BundleModule bundle, HubModule hub, SkillModule skill) {
        var config = node.config();
        boolean isOn = config.isOn(Setting.AI_CATALOG);
        var state = CatalogState.of(isOn, config.text(Setting.PUBLIC_URL));
        if (isOn && state.known() == null) {
            LOG.warn("ai-catalog is on, but public-url has no domain name, so there is no catalog");
        }
        var content = new CatalogContent(
                bundle.bundles(), bundle.resolve(), skill.skills(), skill.claudePlugins(), hub.hub());
        this.catalog = new AiCatalogApi(state, new AiCatalogs(node.database(), content, bundle.changes()));
        this.ard = new ArdApi(state, new ArdSearch(content));
    }

    @Override
    public List<Route> routes() {
        return catalog.routes();
    }

    @Override
    public List<RouteSurface> surfaces() {
        return List.of(catalog.surface(), ard.surface());
    }
}
