package dev.sheaf.server.bundle.api;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.model.archive.PackedFile;
import dev.sheaf.model.wire.admin.PurgeReport;
import dev.sheaf.model.wire.bundle.Asset;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.DownloadCounts;
import dev.sheaf.model.wire.bundle.InnerFile;
import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.model.wire.bundle.PublishReport;
import dev.sheaf.model.wire.bundle.RequiredBundle;
import dev.sheaf.model.wire.bundle.RequirementChange;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.TagHistoryEntry;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionDiff;
import dev.sheaf.model.wire.bundle.VersionRecall;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.DeprecationNotice;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.VersionRisk;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.check.ContentChecks;
import dev.sheaf.server.bundle.diff.VersionComparer;
import dev.sheaf.server.bundle.publish.PublishWorkingSet;
import dev.sheaf.server.bundle.tag.TagChanges;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.bundle.version.VersionDeletion;
import dev.sheaf.server.bundle.version.VersionNotes;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.ProblemJson;
import dev.sheaf.server.registry.tag.Tags;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Converts rows of bundles to the records that the API and the pages show.
public final class BundleRecords {
    private BundleRecords() {}

    static Resolution resolution(Resolve.Answer answer, String requested, Call call) {
        String host = call.registryHost();
        var snapshot = answer.bundle();
        var bundle = snapshot.bundle();
        var version = answer.resolved().version();
        var signature = answer.resolved().signature();
        return new Resolution(
                bundle.id(),
                version.id(),
                snapshot.name().namespace().value(),
                snapshot.name().bundle().value(),
                snapshot.name().toString(),
                version.version().toString(),
                bundle.profile().name(),
                bundle.profile().description(),
                bundle.sourceType().toString(),
                version.state().toString(),
                snapshot.visibility().toString(),
                ociRef(snapshot, version, host),
                version.digest().toString(),
                host + "/" + snapshot.name() + "@" + version.digest(),
                new Resolution.Layers(layers(call, answer.resolved().assets())),
                version.size(),
                requested,
                resolvedBy(answer.selector()),
                answer.resolved().tags(),
                version.publishedAt(),
                actor(version.publishedBy(), snapshot, call),
                yank(version, snapshot, call),
                deprecation(version.deprecation() == null ? bundle.deprecation() : version.deprecation()),
                signature != null,
                signature == null ? null : signature.signer(),
                signature == null ? null : signature.at(),
                null,
                null);
    }

    static String resolvedBy(VersionSelector selector) {
        return switch (selector) {
            case VersionSelector.Default ignored -> "default";
            case VersionSelector.ByDigest ignored -> "digest";
            case VersionSelector.ByVersion ignored -> "version";
            case VersionSelector.ByTag ignored -> "tag";
            case VersionSelector.ByRange ignored -> "range";
        };
    }

    private static String ociRef(BundleSnapshot bundle, VersionRow version, String host) {
        return host + "/" + bundle.name() + ":" + version.version().ociTag();
    }

    static List<Layer> layers(Call call, List<StoredAsset> assets) {
        var words = AssetWords.of(call);
        return assets.stream().map(asset -> layer(words, asset)).toList();
    }

    static Layer layer(AssetWords words, StoredAsset asset) {
        return new Layer(
                asset.id(),
                asset.path().value(),
                words.of(asset.assetType()),
                asset.digest().hex(),
                asset.size(),
                asset.mediaType(),
                asset.executable());
    }

    /// Returns the actor if the caller may see it. Only members of the organization see which of them did
    /// something; others see which organization owns the bundle.
    static @Nullable String actor(@Nullable String actor, BundleSnapshot bundle, Call call) {
        return actor == null || isInside(bundle, call)
                ? actor
                : bundle.name().namespace().value();
    }

    static boolean isInside(BundleSnapshot bundle, Call call) {
        return Access.owns(call.caller(), bundle.organizationId(), bundle.name());
    }

    private static Resolution.@Nullable Yank yank(VersionRow version, BundleSnapshot bundle, Call call) {
        return version.yankedAt() == null
                ? null
                : new Resolution.Yank(
                        version.yankedAt(),
                        orEmpty(actor(version.yankedBy(), bundle, call)),
                        orEmpty(version.yankReason()),
                        text(version.yankReasonCode()),
                        version.yankReplacement());
    }

    private static @Nullable VersionRecall recall(VersionRow version, BundleSnapshot bundle, Call call) {
        var recall = version.recall();
        return recall == null || version.recalledAt() == null
                ? null
                : new VersionRecall(
                        version.recalledAt(),
                        orEmpty(actor(version.recalledBy(), bundle, call)),
                        recall.reason(),
                        recall.severity().toString(),
                        recall.advisory(),
                        recall.replacement());
    }

    static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static Resolution.@Nullable Deprecation deprecation(@Nullable DeprecationNotice advice) {
        return advice == null ? null : new Resolution.Deprecation(advice.message(), advice.replacement());
    }

    public static Asset asset(Call call, BundleSnapshot bundle, StoredAsset asset) {
        return new Asset(
                asset.id(),
                bundle.bundle().id(),
                AssetWords.of(call).of(asset.assetType()),
                asset.declaredType(),
                asset.path().value(),
                asset.digest().hex(),
                asset.size(),
                asset.size(),
                asset.mediaType(),
                asset.executable(),
                asset.createdAt(),
                asset.updatedAt(),
                null,
                null);
    }

    /// Returns an asset; for an archive, also the files in it.
    public static Asset asset(Call call, BundleSnapshot bundle, StoredAsset asset, List<PackedFile> packed) {
        var plain = asset(call, bundle, asset);
        return packed.isEmpty()
                ? plain
                : plain.holding(packed.stream()
                        .map(file -> new InnerFile(
                                file.path().value(),
                                file.size(),
                                "0%03o".formatted(file.mode()),
                                file.digest().hex()))
                        .toList());
    }

    /// @param message the beginning of the publisher's message; null if there is none, or it is not shown
    /// @param risk null if it is not shown
    /// @param approval [VersionApprovals.Of#NOTHING] if it is not shown
    public static VersionSummary summary(
            BundleSnapshot bundle,
            VersionRow version,
            @Nullable String message,
            @Nullable VersionRisk risk,
            VersionApprovals.Of approval,
            Call call) {
        return new VersionSummary(
                version.id(),
                version.bundleId(),
                version.version().toString(),
                version.state().toString(),
                ociRef(bundle, version, call.registryHost()),
                version.digest().toString(),
                actor(version.publishedBy(), bundle, call),
                actor(version.yankedBy(), bundle, call),
                version.yankedAt(),
                version.yankReason(),
                deprecation(version.deprecation()),
                version.publishedAt(),
                message,
                risk == null ? null : risk.findings(),
                risk == null || risk.worst() == null ? null : risk.worst().toString(),
                risk == null ? null : risk.extent().toString(),
                recall(version, bundle, call),
                approval.heldAt(),
                approval.by());
    }

    static VersionDetail detail(
            BundleSnapshot bundle,
            BundleSnapshot.Resolved resolved,
            Call call,
            VersionNotes.Of remarks,
            VersionApprovals.Of approval) {
        var version = resolved.version();
        return new VersionDetail(
                version.id(),
                version.bundleId(),
                version.version().toString(),
                version.state().toString(),
                ociRef(bundle, version, call.registryHost()),
                version.digest().toString(),
                actor(version.publishedBy(), bundle, call),
                actor(version.yankedBy(), bundle, call),
                version.yankedAt(),
                version.yankReason(),
                version.publishedAt(),
                new VersionDetail.Manifest(
                        bundle.name().namespace().value(),
                        bundle.name().bundle().value(),
                        version.version().toString(),
                        version.recall() == null ? layers(call, resolved.assets()) : List.of()),
                resolved.tags(),
                version.size(),
                deprecation(version.deprecation()),
                remarks.attestations().stream()
                        .map(referrer -> new VersionDetail.Attestation(
                                orEmpty(referrer.artifactType()),
                                referrer.digest().toString()))
                        .toList(),
                warnings(remarks.warnings()),
                yank(version, bundle, call),
                remarks.message(),
                recall(version, bundle, call),
                version.recall() == null ? requires(resolved.requires()) : null,
                approval.heldAt(),
                approval.by());
    }

    /// Returns the records of what a version requires; null if it requires nothing.
    static @Nullable List<RequiredBundle> requires(List<Requirement> requires) {
        return requires.isEmpty()
                ? null
                : requires.stream().map(RequiredBundle::of).toList();
    }

    public static List<VersionDetail.Warning> warnings(List<ContentChecks.Warning> warnings) {
        return warnings.stream()
                .map(warning -> new VersionDetail.Warning(warning.path().value(), warning.code(), warning.detail()))
                .toList();
    }

    /// Returns a bundle in a list.
    public static BundleRecord listed(BundleSnapshot snapshot) {
        return bundle(snapshot, null);
    }

    public static BundleRecord bundle(Bundles.Overview overview) {
        return bundle(overview.bundle(), overview);
    }

    /// @param detail null in a list
    private static BundleRecord bundle(BundleSnapshot snapshot, Bundles.@Nullable Overview detail) {
        var bundle = snapshot.bundle();
        return new BundleRecord(
                bundle.id(),
                snapshot.name().namespace().value(),
                snapshot.name().bundle().value(),
                snapshot.name().toString(),
                bundle.profile().name(),
                bundle.profile().description(),
                snapshot.visibility().toString(),
                bundle.sourceType().toString(),
                bundle.profile().readmeFormat(),
                bundle.createdAt(),
                bundle.updatedAt(),
                detail == null ? null : bundle.profile().readmeContent(),
                detail == null || detail.latest() == null
                        ? null
                        : detail.latest().toString(),
                detail == null ? null : (Integer) detail.versions(),
                detail == null ? null : (Integer) detail.assets(),
                detail == null ? null : bundle.profile().license(),
                detail == null ? null : bundle.profile().repositoryUrl(),
                detail == null ? null : bundle.profile().homepageUrl(),
                detail == null ? null : bundle.profile().keywordList(),
                detail == null ? null : deprecation(bundle.deprecation()));
    }

    public static TagStatus tag(TagChanges.Named named, BundleSnapshot bundle, Call call) {
        var tag = named.tag();
        return new TagStatus(
                tag.name(),
                named.version() == null ? "" : named.version().toString(),
                tag.digest().toString(),
                tag.isProtected(),
                tag.kind() == Tags.Kind.MANAGED,
                tag.updatedAt(),
                actor(tag.updatedBy(), bundle, call));
    }

    public static TagHistoryEntry move(TagChanges.Moved moved, BundleSnapshot bundle, Call call) {
        var move = moved.move();
        return new TagHistoryEntry(
                move.id(),
                move.name(),
                text(moved.before()),
                text(move.oldDigest()),
                text(moved.after()),
                text(move.newDigest()),
                move.movedAt(),
                actor(move.movedBy(), bundle, call),
                moved.isByYank() ? "yank" : null,
                moved.isAfterYanked());
    }

    /// Returns downloads by day. Only the organization itself sees how many of them were its own.
    public static DownloadCounts downloads(BundleSnapshot bundle, PullCounts.Counts counts, Call call) {
        boolean isInside = isInside(bundle, call);
        var days = counts.days().stream()
                .map(day -> new DownloadCounts.Day(date(day.day()), day.downloads(), isInside ? day.own() : null))
                .toList();
        return new DownloadCounts(
                counts.total(),
                isInside ? counts.own() : null,
                date(counts.from()),
                date(counts.to()),
                days,
                isInside ? counts.outsideSince() : null);
    }

    private static String date(long day) {
        return LocalDate.ofEpochDay(day).toString();
    }

    /// Returns the result of the checks of a version that would be published.
    public static PublishReport report(PublishWorkingSet.Outlook outlook, Version version) {
        boolean valid = outlook.problems().isEmpty();
        return new PublishReport(
                valid,
                !valid ? "refused" : outlook.identical() ? "identical" : "created",
                outlook.held(),
                version.toString(),
                text(outlook.manifest()),
                outlook.assets(),
                outlook.size(),
                outlook.problems().stream()
                        .flatMap(problem -> problem.errors(ProblemJson.code(problem.problem())).stream())
                        .map(BundleRecords::finding)
                        .toList(),
                outlook.findings(),
                warnings(outlook.warnings()));
    }

    private static PublishReport.Finding finding(Problem.FieldError error) {
        return new PublishReport.Finding(
                error.pointer(), error.pointer(), error.code(), error.detail(), error.detail());
    }

    /// Returns what a purge removed and what it kept.
    public static PurgeReport purge(RepositoryName name, VersionDeletion.Deleted deleted) {
        return new PurgeReport(
                name.namespace().value(),
                name.bundle().value(),
                deleted.version().toString(),
                deleted.digest().toString(),
                texts(deleted.removed()),
                deleted.kept().stream()
                        .map(kept -> new PurgeReport.Kept(kept.digest().toString(), kept.holders()))
                        .toList(),
                deleted.workingAssets(),
                texts(deleted.pending()),
                deleted.dependents().isEmpty()
                        ? null
                        : List.of("bundles require " + name + ": " + String.join(", ", deleted.dependents())));
    }

    private static List<String> texts(List<Digest> digests) {
        return digests.stream().map(Digest::toString).toList();
    }

    /// Returns the comparison of two versions.
    public static VersionDiff diff(Call call, Resolve.Answer from, Resolve.Answer to, VersionComparer.Result result) {
        return diff(
                call,
                from.bundle().name(),
                side(from),
                side(to),
                requireChanges(from.resolved().requires(), to.resolved().requires()),
                result);
    }

    /// @param from null if `to` is compared with nothing
    public static VersionDiff diff(
            Call call,
            RepositoryName name,
            VersionDiff.@Nullable Side from,
            VersionDiff.Side to,
            @Nullable List<RequirementChange> requires,
            VersionComparer.Result result) {
        var words = AssetWords.of(call);
        return new VersionDiff(
                name.namespace().value(),
                name.bundle().value(),
                from,
                to,
                count(result, VersionComparer.Kind.ADDED),
                count(result, VersionComparer.Kind.REMOVED),
                count(result, VersionComparer.Kind.CHANGED),
                count(result, VersionComparer.Kind.RENAMED),
                result.unchanged(),
                result.changes().stream().map(change -> change(words, change)).toList(),
                requires);
    }

    /// Returns the differences between what two versions require, by bundle; null if there are none.
    static @Nullable List<RequirementChange> requireChanges(List<Requirement> before, List<Requirement> after) {
        var names = new TreeMap<String, RequiredBundle[]>();
        before.forEach(one -> names.computeIfAbsent(one.bundle().toString(), name -> new RequiredBundle[2])[0] =
                RequiredBundle.of(one));
        after.forEach(one -> names.computeIfAbsent(one.bundle().toString(), name -> new RequiredBundle[2])[1] =
                RequiredBundle.of(one));
        var changes = new ArrayList<RequirementChange>();
        names.forEach((name, sides) -> {
            if (!Objects.equals(sides[0], sides[1])) {
                String kind = sides[0] == null ? "added" : sides[1] == null ? "removed" : "changed";
                changes.add(new RequirementChange(kind, name, sides[0], sides[1]));
            }
        });
        return changes.isEmpty() ? null : changes;
    }

    private static VersionDiff.Side side(Resolve.Answer answer) {
        var version = answer.resolved().version();
        return new VersionDiff.Side(
                version.version().toString(), version.digest().toString());
    }

    private static int count(VersionComparer.Result result, VersionComparer.Kind kind) {
        return (int) result.changes().stream()
                .filter(change -> change.kind() == kind)
                .count();
    }

    private static VersionDiff.Change change(AssetWords words, VersionComparer.Change change) {
        return new VersionDiff.Change(
                change.kind().name().toLowerCase(Locale.ROOT),
                change.path(),
                layerOf(words, change.before()),
                layerOf(words, change.after()),
                change.similarity(),
                change.text(),
                change.omitted());
    }

    private static @Nullable Layer layerOf(AssetWords words, @Nullable StoredAsset asset) {
        return asset == null ? null : layer(words, asset);
    }
}
