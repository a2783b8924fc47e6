package dev.sheaf.server.bundle.pages;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.passport.PassportChange;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.DependentBundle;
import dev.sheaf.model.wire.bundle.DownloadCounts;
import dev.sheaf.model.wire.bundle.TagHistoryEntry;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.model.wire.hub.StarStatus;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.AssetBytes;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.PluginNames;
import dev.sheaf.server.bundle.PluginTexts;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.SkillDocuments;
import dev.sheaf.server.bundle.api.BundleRecords;
import dev.sheaf.server.bundle.api.DependentsApi;
import dev.sheaf.server.bundle.api.PassportApi;
import dev.sheaf.server.bundle.api.PublishApi;
import dev.sheaf.server.bundle.api.TagsApi;
import dev.sheaf.server.bundle.api.VersionApprovals;
import dev.sheaf.server.bundle.api.VersionDetails;
import dev.sheaf.server.bundle.diff.VersionComparer;
import dev.sheaf.server.bundle.diff.WhiteSpace;
import dev.sheaf.server.bundle.passport.VersionPassports;
import dev.sheaf.server.bundle.requirement.Dependents;
import dev.sheaf.server.bundle.tag.TagChanges;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.bundle.version.VersionListing;
import dev.sheaf.server.console.PageCall;
import dev.sheaf.server.console.PageFormat;
import dev.sheaf.server.http.message.PageRequest;
import dev.sheaf.server.hub.BundleStars;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.content.BlobContent;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads bundles for pages, as the records that the API returns. Thread-safe.
public final class BundleReader {
    private static final int OFFERED = 100;

    private final Bundles bundles;
    private final Resolve resolve;
    private final VersionDetails details;
    private final TagChanges tagging;
    private final PullCounts downloads;
    private final VersionComparer diff;
    private final VersionPassports passports;
    private final AssetBytes bytes;
    private final BundleStars stars;
    private final SkillDocuments skills;
    private final VersionListing listing;
    private final Dependents dependents;

    public BundleReader(
            Bundles bundles,
            Resolve resolve,
            VersionDetails details,
            TagChanges tagging,
            PullCounts downloads,
            VersionComparer diff,
            VersionPassports passports,
            AssetBytes bytes,
            BundleStars stars,
            SkillDocuments skills,
            VersionListing listing,
            Dependents dependents) {
        this.bundles = bundles;
        this.resolve = resolve;
        this.details = details;
        this.tagging = tagging;
        this.downloads = downloads;
        this.diff = diff;
        this.passports = passports;
        this.bytes = bytes;
        this.stars = stars;
        this.skills = skills;
        this.listing = listing;
        this.dependents = dependents;
    }

    /// Returns public bundles that require a bundle, by name. Everybody sees the same, so that pages can be shared.
    public List<DependentBundle> dependents(BundleSnapshot bundle, int limit) {
        return dependents.list(Caller.ANONYMOUS, bundle, null, limit).stream()
                .map(DependentsApi::dependent)
                .toList();
    }

    /// Returns the bundle of a page if the viewer may see it.
    ///
    /// @throws dev.sheaf.model.ProblemException those of [Bundles#read]
    public BundleSnapshot read(PageCall page) {
        return read(page, page.call().repository());
    }

    /// Returns a bundle if the viewer may see it.
    ///
    /// @throws dev.sheaf.model.ProblemException those of [Bundles#read]
    public BundleSnapshot read(PageCall page, RepositoryName name) {
        return bundles.read(page.call().caller(), name);
    }

    /// Returns the bundle of a page if the viewer may change it. Ask this before anything else of a form,
    /// so that a hidden bundle looks like a missing one.
    ///
    /// @throws dev.sheaf.model.ProblemException those of [Bundles#writable]
    public BundleSnapshot writable(PageCall page) {
        return bundles.writable(page.caller(), page.call().repository());
    }

    public BundleRecord record(BundleSnapshot bundle) {
        var counts = counts(bundle);
        return BundleRecords.bundle(new Bundles.Overview(bundle, counts.latest(), counts.versions(), counts.assets()));
    }

    private BundleSnapshot.Counts counts(BundleSnapshot bundle) {
        return bundle.counts(() -> {
            var overview = bundles.overview(bundle);
            int tags =
                    tagging.list(bundle, null, BundleSnapshot.Counts.MOST_TAGS).size();
            return new BundleSnapshot.Counts(overview.latest(), overview.versions(), overview.assets(), tags);
        });
    }

    /// Returns what the head of each page of a bundle shows.
    public BundleHead head(PageCall page, VisibleBundle seen) {
        return new BundleHead(seen, counts(seen.snapshot()), star(page, seen));
    }

    /// Returns the star of a viewer who is signed in; null for others, and if the hub does not list the bundle.
    private @Nullable StarStatus star(PageCall page, VisibleBundle seen) {
        return seen.isPublic() && page.viewer().isSignedIn()
                ? PageCall.find(() -> stars.get(page.caller(), seen.name()))
                : null;
    }

    // --- versions ---

    /// Finds a version by its number, a tag, a range or a digest.
    ///
    /// @throws dev.sheaf.model.ProblemException validation-failed; not-found
    public Resolve.Answer resolve(BundleSnapshot bundle, String version) {
        return resolve.resolve(bundle, RequestFields.named("version", version, Resolve.Question::parse));
    }

    /// Finds a version like [#resolve], also if it is recalled: for pages that do not show its content.
    public Resolve.Answer known(BundleSnapshot bundle, String version) {
        return resolve.known(bundle, RequestFields.named("version", version, Resolve.Question::parse));
    }

    /// Returns the latest version; null if there is none, or if it was yanked just now.
    public Resolve.@Nullable Answer latest(VisibleBundle seen) {
        var latest = counts(seen.snapshot()).latest();
        return latest == null ? null : PageCall.find(() -> resolve(seen.snapshot(), latest.toString()));
    }

    public VersionDetail detail(PageCall page, Resolve.Answer version) {
        return details.of(page.call(), version.bundle(), version.resolved());
    }

    /// Returns a part of the list of versions.
    public ListedVersion.Part listed(PageCall page, BundleSnapshot bundle, VersionListing.Wanted wanted, int limit) {
        var part = listing.of(bundle, wanted, limit);
        var versions = part.versions().stream()
                .map(listed -> new ListedVersion(
                        BundleRecords.summary(
                                bundle,
                                listed.version(),
                                listed.message(),
                                listed.risk(),
                                VersionApprovals.Of.NOTHING,
                                page.call()),
                        listed.version().size(),
                        PageFormat.text(listed.message()),
                        listed.risk(),
                        listed.pulls(),
                        listed.isSigned()))
                .toList();
        return new ListedVersion.Part(versions, part.hasHigher(), part.hasLower());
    }

    /// Returns the next version below whose content can be read; empty if there is none.
    public Optional<Resolve.Answer> before(Resolve.Answer version) {
        return listing.before(version.bundle(), version.resolved().version().version())
                .map(before -> resolve(version.bundle(), before.toString()));
    }

    /// Returns the highest versions.
    public List<VersionSummary> versions(PageCall page, BundleSnapshot bundle, int limit) {
        return bundles.versions(bundle, null, limit).stream()
                .map(row -> BundleRecords.summary(bundle, row, null, null, VersionApprovals.Of.NOTHING, page.call()))
                .toList();
    }

    /// Returns the skills of a version, with what they say of themselves.
    public List<SkillDocuments.Document> skills(Resolve.Answer version) {
        return skills.of(version.bundle(), version.resolved().assets());
    }

    /// Returns the plugin of a version; null if it is none.
    public PluginTexts.@Nullable Entry plugin(Resolve.Answer version) {
        return skills.plugin(version.resolved().assets()).orElse(null);
    }

    /// Returns the name under which marketplaces list a plugin; empty if they do not.
    public Optional<String> listedName(BundleSnapshot bundle, PluginTexts.Entry plugin) {
        return PluginNames.of(bundles, bundle.name(), plugin.manifest());
    }

    /// Compares two versions. Its cost is counted, and its memory reserved.
    public VersionDiff diff(PageCall page, Resolve.Answer from, Resolve.Answer to, WhiteSpace whiteSpace) {
        var result = PublishApi.compared(page.call(), diff, from, to, whiteSpace);
        return BundleRecords.diff(page.call(), from, to, result);
    }

    /// Returns the passport of a version, compared with the version before it. Its cost is counted.
    public PassportView passport(PageCall page, VisibleBundle seen, Resolve.Answer version, VersionDetail detail) {
        return passport(page, seen, version, detail, before(version).orElse(null));
    }

    /// Returns the passport of a version, compared with another version.
    ///
    /// @param since null if there is none
    public PassportView passport(
            PageCall page,
            VisibleBundle seen,
            Resolve.Answer version,
            VersionDetail detail,
            Resolve.@Nullable Answer since) {
        var known = PassportView.Known.of(
                seen,
                detail,
                version.resolved().signature() != null,
                since == null ? null : since.resolved().version().version().toString());
        try {
            var now = PassportApi.read(page.call(), passports, version);
            var change = since == null
                    ? null
                    : PassportChange.between(
                            PassportApi.read(page.call(), passports, since).rows(), now.rows());
            return PassportView.of(known, now, change);
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Unavailable || e.problem() instanceof Problem.BlobUnknown) {
                return PassportView.of(known, null, null); // busy or damaged, which the verdict says
            }
            throw e;
        }
    }

    /// Opens the content of an asset.
    public BlobContent open(Repository repository, Digest digest, long size) {
        return bytes.open(repository, digest, size);
    }

    // --- tags ---

    public Page<TagStatus> tags(PageCall page, BundleSnapshot bundle, PageRequest paging) {
        var rows = tagging.list(bundle, paging.after(), paging.fetch());
        return paging.list(rows, row -> row.tag().name(), row -> BundleRecords.tag(row, bundle, page.call()));
    }

    /// Returns the first tags by name.
    public List<TagStatus> tags(PageCall page, BundleSnapshot bundle, int limit) {
        return tagging.list(bundle, null, limit).stream()
                .map(row -> BundleRecords.tag(row, bundle, page.call()))
                .toList();
    }

    /// @throws dev.sheaf.model.ProblemException not-found
    public TagStatus tag(PageCall page, BundleSnapshot bundle, Tag tag) {
        return BundleRecords.tag(tagging.get(bundle, tag), bundle, page.call());
    }

    public Page<TagHistoryEntry> moves(PageCall page, BundleSnapshot bundle, Tag tag, PageRequest paging) {
        var rows = tagging.history(bundle, tag, TagsApi.before(paging), paging.fetch());
        return paging.list(
                rows, row -> Long.toString(row.move().seq()), row -> BundleRecords.move(row, bundle, page.call()));
    }

    /// Returns the highest versions to which a tag can point, for a form that offers them.
    public List<String> choices(PageCall page, BundleSnapshot bundle) {
        return versions(page, bundle, OFFERED).stream()
                .filter(version -> version.yankedAt() == null)
                .map(VersionSummary::version)
                .toList();
    }

    // --- downloads ---

    public DownloadCounts downloads(PageCall page, BundleSnapshot bundle) {
        return BundleRecords.downloads(bundle, downloads.of(bundle), page.call());
    }

    public DownloadCounts downloads(PageCall page, Resolve.Answer version) {
        var counts = downloads.of(version.resolved().version().id());
        return BundleRecords.downloads(version.bundle(), counts, page.call());
    }
}
