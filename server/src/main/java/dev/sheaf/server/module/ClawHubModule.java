package dev.sheaf.server.module;

import dev.sheaf.server.agents.SkillSearch;
import dev.sheaf.server.bundle.SkillPlaces;
import dev.sheaf.server.clawhub.ClawPublish;
import dev.sheaf.server.clawhub.ClawSkills;
import dev.sheaf.server.clawhub.api.ClawHubApi;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.node.NodeBase;
import java.util.List;

/// Skills for clients of ClawHub.
final class ClawHubModule implements FeatureModule {
    private final ClawHubApi api;

    ClawHubModule(
            NodeBase node,
            OrgModule org,
            RegistryModule registry,
            BundleModule bundle,
            HubModule hub,
            SkillModule skill) {
        var skills = new ClawSkills(
                bundle.bundles(), skill.found(), new SkillPlaces(node.database(), bundle.changes()), skill.skills());
        this.api = new ClawHubApi(
                skills,
                skill.discovery(),
                new SkillSearch(hub.hub()),
                new ClawPublish(registry.uploads(), skills, bundle.push()),
                org.namespaces());
    }

    @Override
    public List<Route> routes() {
        return api.routes();
    }

    @Override
    public List<RouteSurface> surfaces() {
        return List.of(api.surface());
    }
}
