package dev.sheaf.server.module;

import dev.sheaf.server.bundle.publish.OciDelete;
import dev.sheaf.server.bundle.publish.OciPush;
import dev.sheaf.server.bundle.version.Advisories;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.http.message.Surface;
import dev.sheaf.server.node.Node;
import dev.sheaf.server.registry.gc.PushLeases;
import dev.sheaf.server.registry.referrer.Referrers;
import dev.sheaf.server.v2.V2;
import java.util.List;

/// The registry as OCI clients speak to it.
final class OciModule implements Module {
    private final Surface surface;

    OciModule(
            Node node,
            AuthModule auth,
            OrgModule org,
            AccessModule access,
            RegistryModule registry,
            BundleModule bundle) {
        var database = node.database();
        var stores = new V2.Stores(
                registry.repositories(),
                registry.blobs(),
                registry.uploads(),
                registry.manifests(),
                new Referrers(database),
                registry.tags(),
                new PushLeases(database, registry.policy()),
                org.namespaces());
        var bundling = new V2.Bundling(
                new OciPush(bundle.publish(), bundle.storedChecks()),
                new OciDelete(database, bundle.stores()),
                new Advisories(database),
                bundle.downloads());
        this.surface = new V2(
                        stores,
                        new V2.Identity(access.authenticator(), auth.tokens(), auth.signingKeys(), database::now),
                        bundling,
                        new V2.Choices(
                                node.config().isOn(Setting.DELETE_ENABLED),
                                node.config().number(Setting.S3_REDIRECT_MIN_BYTES)))
                .surface();
    }

    @Override
    public List<Surface> surfaces() {
        return List.of(surface);
    }
}
