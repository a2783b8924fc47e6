package dev.sheaf.server;

import dev.sheaf.server.bundle.Stores;
import dev.sheaf.server.blob.BlobStore;
import dev.sheaf.server.bundle.Advisories;
import dev.sheaf.server.bundle.BundleDeletion;
import dev.sheaf.server.bundle.BundleEdits;
import dev.sheaf.server.bundle.BundleList;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.Content;
import dev.sheaf.server.bundle.ContentChecks;
import dev.sheaf.server.bundle.Deletion;
import dev.sheaf.server.bundle.Diff;
import dev.sheaf.server.bundle.Downloads;
import dev.sheaf.server.bundle.Freeze;
import dev.sheaf.server.bundle.Hub;
import dev.sheaf.server.bundle.Inspector;
import dev.sheaf.server.bundle.Limits;
import dev.sheaf.server.bundle.OciDelete;
import dev.sheaf.server.bundle.OciPush;
import dev.sheaf.server.bundle.Publish;
import dev.sheaf.server.bundle.ReadmePages;
import dev.sheaf.server.bundle.Remarks;
import dev.sheaf.server.bundle.Resolve;
import dev.sheaf.server.bundle.Stars;
import dev.sheaf.server.bundle.Tagging;
import dev.sheaf.server.bundle.Versions;
import dev.sheaf.server.bundle.WorkingAssets;
import dev.sheaf.server.cpu.CpuPool;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.http.Dispatcher;
import dev.sheaf.server.http.Json;
import dev.sheaf.server.http.ProblemJson;
import dev.sheaf.server.http.Route;
import dev.sheaf.server.http.Sizes;
import dev.sheaf.server.http.Surface;
import dev.sheaf.server.http.v1.AdminApi;
import dev.sheaf.server.http.v1.AssetsApi;
import dev.sheaf.server.http.v1.BundleEditsApi;
import dev.sheaf.server.http.v1.BundlesApi;
import dev.sheaf.server.http.v1.ContentsApi;
import dev.sheaf.server.http.v1.DeletionApi;
import dev.sheaf.server.http.v1.HubApi;
import dev.sheaf.server.http.v1.HubPagesApi;
import dev.sheaf.server.http.v1.LimitsApi;
import dev.sheaf.server.http.v1.PublishApi;
import dev.sheaf.server.http.v1.PublishersApi;
import dev.sheaf.server.http.v1.PushApi;
import dev.sheaf.server.http.v1.TagsApi;
import dev.sheaf.server.http.v1.VersionsApi;
import dev.sheaf.server.http.v2.V2;
import dev.sheaf.server.idempotency.Idempotency;
import dev.sheaf.server.ops.OpsApi;
import dev.sheaf.server.ops.Readiness;
import dev.sheaf.server.org.Installation;
import dev.sheaf.server.org.Namespaces;
import dev.sheaf.server.org.Quotas;
import dev.sheaf.server.rate.Rates;
import dev.sheaf.server.registry.Blobs;
import dev.sheaf.server.registry.Keeping;
import dev.sheaf.server.registry.Leases;
import dev.sheaf.server.registry.Manifests;
import dev.sheaf.server.registry.Referrers;
import dev.sheaf.server.registry.Removal;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Retention;
import dev.sheaf.server.registry.Tags;
import dev.sheaf.server.registry.Uploads;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/// Every object of a node, made by hand from the bottom of the import list to its top.
final class Wiring {
    private static final Blobs.CacheSize CACHE = new Blobs.CacheSize(200_000, 64L << 20);

    private final Database database;
    private final CpuPool cpu = CpuPool.ofThisMachine();
    private final CpuPool searches = CpuPool.ofSearches();
    private final AccessWiring access;
    private final Namespaces namespaces;
    private final Limits limits;
    private final Sizes sizes;
    private final Quotas quotas;
    private final Repositories repositories;
    private final Blobs blobs;
    private final Manifests manifests;
    private final Tags tags;
    private final Bundles bundles;
    private final Publish publish;
    private final Downloads downloads;
    private final ContentChecks checks;
    private final Inspector inspector;
    private final Removal removal;
    private final BundleDeletion bundleDeletion;
    private final Keeping keeping;
    private final BlobStore store;
    private final Upkeep upkeep;
    private final Idempotency idempotency;
    private final Rates rates;
    private final List<Surface> surfaces;
    private final Dispatcher dispatcher;

    Wiring(Config config, DataDir dataDir, Database database, BlobStore store, InstantSource clock) {
        this.database = database;
        this.limits = LimitsWiring.limits(config);
        this.sizes = LimitsWiring.sizes(config);
        this.access = new AccessWiring(config, dataDir, database, clock, cpu);
        this.namespaces = access.namespaces();
        this.quotas = access.quotas();

        this.store = store;
        this.repositories = new Repositories(database);
        this.keeping = keeping(config);
        this.blobs = new Blobs(database, store, keeping, CACHE);
        this.manifests = new Manifests(database, keeping, CACHE, config.isOn(Setting.SPARSE_MANIFESTS));
        var uploads = new Uploads(database, store, blobs, quotas, LimitsWiring.uploads(config));
        this.tags = new Tags(database);
        this.upkeep = upkeep(config, dataDir, uploads);
        this.idempotency = new Idempotency(database, (int) config.number(Setting.MAX_REMEMBERED_REQUESTS));
        this.rates = EdgeWiring.rates(config, database);

        this.bundles = new Bundles(database, repositories);
        var published = new Stores(namespaces, quotas, repositories, blobs, manifests, tags);
        this.publish = new Publish(database, published, limits);
        this.downloads = new Downloads(database, access.master());
        this.checks = new ContentChecks(Json::isDocument, cpu);
        this.inspector = new Inspector(repositories, blobs, checks);
        this.removal = new Removal(store, keeping);
        this.bundleDeletion = new BundleDeletion(database, bundles, published, removal, downloads);

        this.surfaces = List.of(
                api(published, LimitsWiring.api(config, rates)),
                access.tokens().surface(),
                access.tokens().page(),
                access.signInPage(),
                v2(config, registry(uploads), access.registry(), published).surface());
        this.dispatcher = EdgeWiring.dispatcher(config, surfaces, access, idempotency, rates, cpu);
    }

    private Upkeep upkeep(Config config, DataDir dataDir, Uploads uploads) {
        var content = new Upkeep.Content(
                database,
                store,
                repositories,
                tags,
                uploads,
                keeping,
                quotas,
                access.signingKeys(),
                access.peppers(),
                access.chain());
        return new Upkeep(config, dataDir, content);
    }

    private V2 v2(Config config, V2.Stores stores, V2.Identity identity, Stores published) {
        return new V2(
                stores,
                identity,
                new V2.Bundling(
                        new OciPush(publish, inspector),
                        new OciDelete(database, published),
                        new Advisories(database),
                        downloads),
                new V2.Choices(config.isOn(Setting.DELETE_ENABLED), config.number(Setting.S3_REDIRECT_MIN_BYTES)));
    }

    private Surface api(Stores published, LimitsApi limitsApi) {
        return new Surface(
                "/",
                false,
                ProblemJson::render,
                Stream.of(v1(published), limitsApi.routes(), ops())
                        .flatMap(List::stream)
                        .toList());
    }

    private V2.Stores registry(Uploads uploads) {
        return new V2.Stores(
                repositories,
                blobs,
                uploads,
                manifests,
                new Referrers(database),
                tags,
                new Leases(database, keeping),
                namespaces);
    }

    private AssetsApi assets(Stores published, Resolve resolve) {
        var working = new WorkingAssets(database, bundles, published, limits);
        return new AssetsApi(bundles, resolve, working, blobs, limits.asset(), sizes.text());
    }

    private List<Route> versions(Stores published, Resolve resolve, Remarks remarks) {
        var freeze = new Freeze(database, bundles, publish, published, inspector);
        var deletion = new Deletion(database, published, removal, downloads);
        return Stream.of(
                        new PublishApi(bundles, freeze, resolve, new Diff(new Content(blobs), cpu), remarks).routes(),
                        new DeletionApi(bundles, resolve, deletion, bundleDeletion, remarks).routes())
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> v1(Stores published) {
        var edits = new BundleEdits(database, bundles, published);
        var resolve = new Resolve(database, bundles, tags);
        var remarks = new Remarks(database, new Referrers(database));
        var reads = new BundlesApi(bundles, resolve, new Content(blobs), remarks, downloads);
        var assets = assets(published, resolve);
        var versions = new VersionsApi(bundles, new Versions(database, bundles, tags), edits, remarks);
        return Stream.of(
                        access.routes(),
                        new AdminApi(new Installation(database), upkeep.tasks(), upkeep.stats()).routes(),
                        reads.routes(),
                        assets.routes(),
                        versions(published, resolve, remarks),
                        new PushApi(publish, blobs, checks, remarks, limits.assets()).routes(),
                        new ContentsApi(new Retention(database, repositories, keeping)).routes(),
                        new TagsApi(bundles, new Tagging(database, bundles, tags, manifests)).routes(),
                        new BundleEditsApi(bundles, new BundleList(database, namespaces), edits).routes(),
                        versions.routes(),
                        hub(new HubApi.Twins(reads, versions, assets), edits))
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> hub(HubApi.Twins twins, BundleEdits edits) {
        var hub = new Hub(database, searches);
        return Stream.of(
                        new HubApi(hub, new Stars(database), twins).routes(),
                        new HubPagesApi(bundles, new ReadmePages(cpu), hub).routes(),
                        new PublishersApi(hub, edits, namespaces).routes())
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> ops() {
        return new OpsApi(new Readiness(database::hears, () -> database.read(tx -> true), store::probe)).routes();
    }

    private static Keeping keeping(Config config) {
        return new Keeping(
                config.duration(Setting.PUSH_LEASE),
                config.duration(Setting.DELETION_GRACE),
                config.find(Setting.UNTAGGED_RETENTION)
                        .filter(text -> !text.equals("forever"))
                        .map(Duration::parse));
    }

    /// The route table.
    List<Route> routes() {
        return surfaces.stream().flatMap(surface -> surface.routes().stream()).toList();
    }

    AccessWiring access() {
        return access;
    }

    BundleDeletion bundleDeletion() {
        return bundleDeletion;
    }

    Upkeep upkeep() {
        return upkeep;
    }

    Downloads downloads() {
        return downloads;
    }

    Idempotency idempotency() {
        return idempotency;
    }

    Runnable rateSharing() {
        return EdgeWiring.sharing(database, rates);
    }

    BlobStore store() {
        return store;
    }

    void closePools() {
        cpu.close();
        searches.close();
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }
}
