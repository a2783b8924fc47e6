package dev.sheaf.server.module;

import dev.sheaf.server.bundle.publish.OciDelete;
import dev.sheaf.server.bundle.publish.OciPush;
import dev.sheaf.server.bundle.publish.PackedLayers;
import dev.sheaf.server.bundle.review.ClosedContent;
import dev.sheaf.server.bundle.version.VersionWarnings;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.http.message.RouteSurface;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.registry.api.BlobsApi;
import dev.sheaf.server.registry.api.BucketRedirects;
import dev.sheaf.server.registry.api.CatalogApi;
import dev.sheaf.server.registry.api.DistributionApi;
import dev.sheaf.server.registry.api.ManifestPushApi;
import dev.sheaf.server.registry.api.ManifestsApi;
import dev.sheaf.server.registry.api.PushedConfig;
import dev.sheaf.server.registry.api.ReferrersApi;
import dev.sheaf.server.registry.api.RepositoryAccess;
import dev.sheaf.server.registry.api.TagsApi;
import dev.sheaf.server.registry.api.TokenApi;
import dev.sheaf.server.registry.api.UploadsApi;
import dev.sheaf.server.registry.gc.PushLeases;
import dev.sheaf.server.registry.referrer.Referrers;
import java.util.List;

/// The OCI registry.
final class OciModule implements FeatureModule {
    private final RouteSurface surface;

    OciModule(
            NodeBase node,
            SecretsModule secrets,
            OrgModule org,
            CredentialsModule credentials,
            RegistryModule registry,
            BundleModule bundle) {
        var database = node.database();
        var repositories = registry.repositories();
        var blobs = registry.blobs();
        var leases = new PushLeases(database, registry.policy());
        var push = new OciPush(
                bundle.publish(),
                bundle.storedChecks(),
                new PackedLayers(repositories, blobs, node.cpu()),
                repositories,
                bundle.passports());
        var deletes = new OciDelete(database, repositories, blobs, registry.manifests(), registry.tags());
        var rule = new RepositoryAccess(repositories, org.namespaces(), push);
        var redirects = new BucketRedirects(blobs, node.config().number(Setting.S3_REDIRECT_MIN_BYTES));
        var closed = new ClosedContent(database, blobs);
        this.surface = DistributionApi.surface(
                node.config().isOn(Setting.DELETE_ENABLED),
                List.of(
                        new TokenApi(
                                        credentials.authenticator(),
                                        secrets.tokens(),
                                        secrets.signingKeys(),
                                        repositories,
                                        database::now)
                                .routes(),
                        new CatalogApi(repositories).routes(),
                        new BlobsApi(rule, blobs, registry.manifests(), leases, deletes, redirects, closed).routes(),
                        new UploadsApi(rule, repositories, blobs, registry.uploads()).routes(),
                        new ManifestsApi(
                                        rule,
                                        registry.manifests(),
                                        leases,
                                        new VersionWarnings(database),
                                        bundle.downloads(),
                                        closed)
                                .routes(),
                        new ManifestPushApi(rule, new PushedConfig(repositories, blobs), push, deletes).routes(),
                        new ReferrersApi(rule, new Referrers(database)).routes(),
                        new TagsApi(rule, registry.tags()).routes()));
    }

    @Override
    public List<RouteSurface> surfaces() {
        return List.of(surface);
    }
}
