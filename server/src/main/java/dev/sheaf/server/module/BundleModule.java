package dev.sheaf.server.module;

import dev.sheaf.engine.net.AllowedTargets;
import dev.sheaf.engine.work.RecurringTask;
import dev.sheaf.engine.work.RowExpiry;
import dev.sheaf.engine.work.Task;
import dev.sheaf.model.wire.admin.TaskKind;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleLimits;
import dev.sheaf.server.bundle.BundleList;
import dev.sheaf.server.bundle.BundleUse;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.NamespaceChanges;
import dev.sheaf.server.bundle.NewBundles;
import dev.sheaf.server.bundle.OwnBundles;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.UseReport;
import dev.sheaf.server.bundle.api.AdvisoriesApi;
import dev.sheaf.server.bundle.api.AssetsApi;
import dev.sheaf.server.bundle.api.BundleEditsApi;
import dev.sheaf.server.bundle.api.BundlePolicyApi;
import dev.sheaf.server.bundle.api.BundleRoutes;
import dev.sheaf.server.bundle.api.BundlesApi;
import dev.sheaf.server.bundle.api.DeletionApi;
import dev.sheaf.server.bundle.api.DependentsApi;
import dev.sheaf.server.bundle.api.DownloadsApi;
import dev.sheaf.server.bundle.api.PassportApi;
import dev.sheaf.server.bundle.api.PublishApi;
import dev.sheaf.server.bundle.api.PullApi;
import dev.sheaf.server.bundle.api.PushApi;
import dev.sheaf.server.bundle.api.RecallsApi;
import dev.sheaf.server.bundle.api.ReviewsApi;
import dev.sheaf.server.bundle.api.TagsApi;
import dev.sheaf.server.bundle.api.TrashApi;
import dev.sheaf.server.bundle.api.UsageApi;
import dev.sheaf.server.bundle.api.VerdictsApi;
import dev.sheaf.server.bundle.api.VersionApprovals;
import dev.sheaf.server.bundle.api.VersionDetails;
import dev.sheaf.server.bundle.api.VersionsApi;
import dev.sheaf.server.bundle.check.ContentChecks;
import dev.sheaf.server.bundle.decision.ReviewDecisions;
import dev.sheaf.server.bundle.decision.ReviewInbox;
import dev.sheaf.server.bundle.decision.ReviewRequests;
import dev.sheaf.server.bundle.decision.VersionRescans;
import dev.sheaf.server.bundle.diff.VersionComparer;
import dev.sheaf.server.bundle.passport.UnreadVersions;
import dev.sheaf.server.bundle.passport.VersionPassports;
import dev.sheaf.server.bundle.publish.PackedLists;
import dev.sheaf.server.bundle.publish.Publish;
import dev.sheaf.server.bundle.publish.PublishPrecheck;
import dev.sheaf.server.bundle.publish.PublishWorkingSet;
import dev.sheaf.server.bundle.publish.Push;
import dev.sheaf.server.bundle.publish.StoredContentChecks;
import dev.sheaf.server.bundle.publish.WorkingAssets;
import dev.sheaf.server.bundle.recall.Advisories;
import dev.sheaf.server.bundle.recall.RecallChanges;
import dev.sheaf.server.bundle.recall.Verdicts;
import dev.sheaf.server.bundle.requirement.Closures;
import dev.sheaf.server.bundle.requirement.Dependents;
import dev.sheaf.server.bundle.review.BundlePolicies;
import dev.sheaf.server.bundle.review.ReviewEnds;
import dev.sheaf.server.bundle.review.ScannerSecrets;
import dev.sheaf.server.bundle.tag.TagChanges;
import dev.sheaf.server.bundle.version.BundleDeletion;
import dev.sheaf.server.bundle.version.BundleEdits;
import dev.sheaf.server.bundle.version.DeletedBundles;
import dev.sheaf.server.bundle.version.InstallableBundles;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.bundle.version.VersionChanges;
import dev.sheaf.server.bundle.version.VersionDeletion;
import dev.sheaf.server.bundle.version.VersionNotes;
import dev.sheaf.server.config.Config;
import dev.sheaf.server.config.Setting;
import dev.sheaf.server.http.message.Json;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.BodyLimits;
import dev.sheaf.server.identity.ActorNames;
import dev.sheaf.server.identity.SignInAttempts;
import dev.sheaf.server.identity.factor.SecondFactor;
import dev.sheaf.server.maintenance.AdminTask;
import dev.sheaf.server.maintenance.InstallationStats;
import dev.sheaf.server.node.NodeBase;
import dev.sheaf.server.node.NodeTimer;
import dev.sheaf.server.registry.api.ManifestJson;
import dev.sheaf.server.registry.content.ManifestDocument;
import dev.sheaf.server.registry.gc.ContentRemoval;
import dev.sheaf.server.registry.referrer.Referrers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Bundles and their versions: publish, resolve, tag, yank, delete.
public final class BundleModule implements FeatureModule {
    private final NodeBase node;
    private final RegistryModule registry;
    private final Bundles bundles;
    private final NewBundles newBundles;
    private final PublishPrecheck admission;
    private final Publish publish;
    private final ContentChecks checks;
    private final PullCounts downloads;
    private final ContentRemoval removal;
    private final BundleDeletion bundleDeletion;
    private final DeletedBundles trash;
    private final BundleEdits edits;
    private final Resolve resolve;
    private final VersionNotes notes;
    private final VersionApprovals approvals;
    private final VersionDetails details;
    private final VersionChanges versions;
    private final PublishWorkingSet workingSet;
    private final WorkingAssets working;
    private final VersionComparer diff;
    private final VersionPassports passports;
    private final UnreadVersions unread;
    private final VersionDeletion deletion;
    private final RecallChanges recalls;
    private final BundlePolicies policies;
    private final ReviewDecisions decisions;
    private final ReviewInbox inbox;
    private final ReviewEnds reviewEnds;
    private final OrgModule org;
    private final TagChanges tagging;
    private final Push push;
    private final NamespaceChanges changes;
    private final BundleList list;
    private final Dependents dependents;
    private final RecurringTask telling;

    BundleModule(NodeBase node, SecretsModule secrets, OrgModule org, RegistryModule registry) {
        this.node = node;
        this.registry = registry;
        var database = node.database();
        var repositories = registry.repositories();
        this.bundles = new Bundles(database, repositories);
        this.newBundles = new NewBundles(org.namespaces(), org.quotas(), repositories);
        this.admission = new PublishPrecheck(
                database, newBundles, org.quotas(), repositories, registry.blobs(), registry.manifests());
        this.publish = new Publish(
                database, newBundles, registry.blobs(), registry.manifests(), registry.tags(), limits(node.config()));
        this.checks = new ContentChecks(Json::isDocument, node.cpu());
        this.downloads = new PullCounts(database, node.master());
        this.removal = new ContentRemoval(node.store(), registry.policy());
        this.bundleDeletion = new BundleDeletion(database, bundles, newBundles, repositories, removal, downloads);
        this.trash = new DeletedBundles(database);
        this.edits = new BundleEdits(database, bundles, newBundles, repositories);
        this.resolve = new Resolve(database, registry.tags());
        this.notes = new VersionNotes(database, new Referrers(database));
        this.versions = new VersionChanges(database, bundles, registry.tags());
        this.working = new WorkingAssets(database, bundles, registry.blobs(), org.quotas(), limits(node.config()));
        this.diff = new VersionComparer(bytes(), node.cpu());
        this.passports = new VersionPassports(bytes(), node.cpu());
        this.workingSet = new PublishWorkingSet(
                database, bundles, admission, publish, registry.blobs(), storedChecks(), passports);
        this.unread = new UnreadVersions(database, repositories, passports);
        this.deletion =
                new VersionDeletion(database, repositories, registry.tags(), registry.manifests(), removal, downloads);
        this.recalls = new RecallChanges(database, bundles, registry.tags());
        this.org = org;
        this.policies = new BundlePolicies(
                database,
                new ScannerSecrets(node.master(), secrets.previousMasters()),
                new AllowedTargets(
                        node.config().isOn(Setting.WEBHOOK_HTTP),
                        node.config().isOn(Setting.WEBHOOK_PRIVATE_ADDRESSES)));
        this.decisions = new ReviewDecisions(
                database,
                repositories,
                registry.manifests(),
                registry.tags(),
                storedChecks(),
                passports,
                publish,
                new SecondFactor(node.master(), new SignInAttempts(database, node.master())),
                (manifest, bytes) -> ManifestDocument.of(
                        manifest.digest().algorithm(), bytes, ManifestJson.read(bytes, manifest.mediaType())));
        this.inbox = new ReviewInbox(database, repositories, diff, passports);
        this.approvals = new VersionApprovals(inbox, new ActorNames(database));
        this.details = new VersionDetails(notes, approvals);
        this.reviewEnds = new ReviewEnds(database, repositories);
        this.tagging = new TagChanges(database, bundles, registry.tags(), registry.manifests());
        this.push = new Push(admission, publish, registry.blobs(), checks, passports);
        this.changes = new NamespaceChanges(database);
        this.list = new BundleList(database, org.namespaces(), changes);
        this.dependents = new Dependents(database);
        this.telling = new RecurringTask(
                database,
                "dependents",
                Duration.ofMinutes(1),
                dependents::tell,
                node.metrics().recurring());
    }

    static BundleLimits limits(Config config) {
        return new BundleLimits(config.number(Setting.MAX_ASSET_BYTES), config.number(Setting.MAX_BUNDLE_BYTES), (int)
                config.number(Setting.MAX_ASSETS));
    }

    static BodyLimits bodies(Config config) {
        return new BodyLimits(
                config.number(Setting.MAX_PUSH_BYTES),
                config.number(Setting.MAX_JSON_BYTES),
                (int) config.number(Setting.MAX_TEXT_BYTES),
                (int) config.number(Setting.MAX_README_BYTES),
                config.number(Setting.MAX_MANIFEST_BYTES));
    }

    private VersionRescans rescans() {
        return new VersionRescans(node.database(), registry.repositories(), bundles, registry.tags());
    }

    @Override
    public List<AdminTask> tasks() {
        var stats = new InstallationStats(node.database());
        return List.of(new AdminTask(
                TaskKind.RESCAN,
                () -> List.of(String.format(
                        Locale.ROOT, "It has %,d versions read again, in the background.", stats.count("versions"))),
                rescans()));
    }

    @Override
    public List<Route> routes() {
        var of = new BundleRoutes(bundles);
        return Stream.of(
                        reads().routes(of),
                        pulls().routes(of),
                        new DownloadsApi(resolve, downloads).routes(of),
                        new UsageApi(resolve, use(), report(), new ActorNames(node.database())).routes(of),
                        assets().routes(of),
                        versions().routes(of),
                        new RecallsApi(recalls).routes(of),
                        new AdvisoriesApi(advisories()).routes(),
                        new VerdictsApi(new Verdicts(node.database(), bundles)).routes(),
                        new BundlePolicyApi(policies, org.namespaces()).routes(of),
                        new ReviewsApi(
                                        decisions,
                                        new ReviewRequests(node.database(), bundles, registry.tags()),
                                        rescans(),
                                        inbox,
                                        new ActorNames(node.database()))
                                .routes(of),
                        new PublishApi(workingSet, resolve, diff, details).routes(of),
                        new PassportApi(resolve, passports, notes).routes(of),
                        new DeletionApi(resolve, deletion, bundleDeletion, details).routes(of),
                        new DependentsApi(dependents).routes(of),
                        new TrashApi(trash).routes(),
                        new PushApi(push, details, limits(node.config()).assetCount()).routes(),
                        new TagsApi(tagging).routes(of),
                        new BundleEditsApi(list, edits).routes(of))
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public List<Task> expiring() {
        var days = node.config().retention(Setting.DOWNLOAD_RETENTION);
        return Stream.of(
                        RowExpiry.of(node.database(), "downloadDaysAddedUp", days.orElse(null), PullCounts::addUp),
                        RowExpiry.of(
                                node.database(),
                                "usageDaysDeleted",
                                // an operator who wants to keep less of downloads wants to keep less of these too
                                days.filter(kept -> kept.compareTo(BundleUse.KEPT) < 0)
                                        .orElse(BundleUse.KEPT),
                                PullCounts::removeUse))
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public void begin(NodeTimer timer) {
        timer.every("counting downloads", Duration.ofSeconds(3), downloads::flush);
        timer.every("purging deleted bundles", Duration.ofMinutes(10), bundleDeletion::purgeDue);
        timer.every("reading versions for findings", Duration.ofSeconds(5), unread::readAll);
        timer.every("ending reviews that waited too long", Duration.ofMinutes(5), reviewEnds::sweep);
        timer.every("applying looser review policies", Duration.ofMinutes(5), policies::applyDue);
        telling.begin();
    }

    @Override
    public void stop() {
        telling.stop();
    }

    @Override
    public List<Last> last() {
        return List.of(
                new Last("the downloads of the last seconds are not counted", downloads::flush),
                new Last("the next node tells dependents of changes", () -> telling.awaitEnd(Duration.ofSeconds(2))));
    }

    public Dependents dependents() {
        return dependents;
    }

    Bundles bundles() {
        return bundles;
    }

    Resolve resolve() {
        return resolve;
    }

    Publish publish() {
        return publish;
    }

    StoredContentChecks storedChecks() {
        return new StoredContentChecks(registry.repositories(), registry.blobs(), checks);
    }

    public UnreadVersions unread() {
        return unread;
    }

    public PullCounts downloads() {
        return downloads;
    }

    public BundleDeletion bundleDeletion() {
        return bundleDeletion;
    }

    BundleUse use() {
        return new BundleUse(node.database());
    }

    UseReport report() {
        return new UseReport(node.database());
    }

    OwnBundles own() {
        return new OwnBundles(node.database(), bundles);
    }

    InstallableBundles installable() {
        return new InstallableBundles(node.database(), bundles);
    }

    DeletedBundles trash() {
        return trash;
    }

    BundleEdits edits() {
        return edits;
    }

    NamespaceChanges changes() {
        return changes;
    }

    BundleList list() {
        return list;
    }

    AssetBytes bytes() {
        return new AssetBytes(registry.blobs());
    }

    ReviewDecisions decisions() {
        return decisions;
    }

    ReviewInbox inbox() {
        return inbox;
    }

    BundlePolicies policies() {
        return policies;
    }

    RecallChanges recalls() {
        return recalls;
    }

    Advisories advisories() {
        return new Advisories(node.database(), org.namespaces(), list);
    }

    TagChanges tagging() {
        return tagging;
    }

    VersionComparer diff() {
        return diff;
    }

    VersionPassports passports() {
        return passports;
    }

    VersionChanges versioning() {
        return versions;
    }

    VersionDeletion deletion() {
        return deletion;
    }

    PublishWorkingSet workingSet() {
        return workingSet;
    }

    WorkingAssets working() {
        return working;
    }

    Push push() {
        return push;
    }

    VersionDetails details() {
        return details;
    }

    // --- handlers that the hub uses too ---

    BundlesApi reads() {
        return new BundlesApi(
                bundles, resolve, details, approvals, new Closures(node.database(), node.cpu()), policies);
    }

    PullApi pulls() {
        return new PullApi(resolve, bytes(), downloads);
    }

    AssetsApi assets() {
        long text = bodies(node.config()).text();
        return new AssetsApi(resolve, new PackedLists(node.database()), working, registry.blobs(), text);
    }

    VersionsApi versions() {
        return new VersionsApi(versions, edits, details);
    }
}
