package dev.sheaf.server.module;

import dev.sheaf.engine.work.RecurringTask;
import dev.sheaf.server.apm.ApmArchives;
import dev.sheaf.server.apm.ApmPublish;
import dev.sheaf.server.apm.api.ApmApi;
import dev.sheaf.server.bundle.api.BundleRoutes;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import java.time.Duration;
import java.util.List;

/// Bundles as packages of APM.
public final class ApmModule implements FeatureModule {
    private static final Duration PAUSE = Duration.ofMinutes(1);
    private static final Duration LAST = Duration.ofSeconds(2);

    private final ApmArchives archives;
    private final RouteSurface surface;
    private final RecurringTask deriving;

    ApmModule(NodeBase node, RegistryModule registry, BundleModule bundle, SkillModule skill) {
        this.archives = new ApmArchives(
                node.database(),
                bundle.bundles(),
                bundle.resolve(),
                registry.blobs(),
                bundle.bytes(),
                skill.archives());
        var publish = new ApmPublish(bundle.bundles(), bundle.resolve(), bundle.push(), registry.manifests());
        this.surface = new ApmApi(bundle.resolve(), archives, publish, bundle.downloads())
                .surface(new BundleRoutes(bundle.bundles()));
        this.deriving = new RecurringTask(
                node.database(),
                "archives",
                PAUSE,
                archives::deriveNew,
                node.metrics().recurring());
    }

    public ApmArchives archives() {
        return archives;
    }

    @Override
    public void begin(NodeTimer timer) {
        deriving.begin();
    }

    @Override
    public void stop() {
        deriving.stop();
    }

    @Override
    public List<Last> last() {
        return List.of(new Last("the next node derives the archives of packages", () -> deriving.awaitEnd(LAST)));
    }

    @Override
    public List<RouteSurface> surfaces() {
        return List.of(surface);
    }
}
