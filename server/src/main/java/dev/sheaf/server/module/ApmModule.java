package dev.sheaf.server.module;

import dev.sheaf.server.apm.ApmArchives;
import dev.sheaf.server.apm.ApmPublish;
import dev.sheaf.server.apm.api.ApmApi;
import dev.sheaf.server.bundle.api.BundleRoutes;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.node.NodeBase;
import java.util.List;

/// Bundles as packages of APM.
final class ApmModule implements FeatureModule {
    private final RouteSurface surface;

    ApmModule(NodeBase node, RegistryModule registry, BundleModule bundle, SkillModule skill) {
        var archives = new ApmArchives(
                node.database(),
                bundle.bundles(),
                bundle.resolve(),
                registry.blobs(),
                bundle.bytes(),
                skill.archives());
        var publish = new ApmPublish(bundle.bundles(), bundle.resolve(), bundle.push(), registry.manifests());
        this.surface = new ApmApi(bundle.resolve(), archives, publish, bundle.downloads())
                .surface(new BundleRoutes(bundle.bundles()));
    }

    @Override
    public List<RouteSurface> surfaces() {
        return List.of(surface);
    }
}
