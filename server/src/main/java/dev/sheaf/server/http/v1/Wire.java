package dev.sheaf.server.http.v1;

import dev.sheaf.model.Selector;
import dev.sheaf.model.wire.BundleRecord;
import dev.sheaf.model.wire.Layer;
import dev.sheaf.model.wire.Resolution;
import dev.sheaf.model.wire.VersionDetail;
import dev.sheaf.model.wire.VersionSummary;
import dev.sheaf.server.bundle.AssetRow;
import dev.sheaf.server.bundle.BundleRow;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.ContentChecks;
import dev.sheaf.server.bundle.Resolve;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.VersionRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// From rows to the records that travel.
final class Wire {
    private Wire() {}

    static Resolution resolution(Resolve.Answer answer, String requested, String host) {
        var snapshot = answer.bundle();
        var bundle = snapshot.bundle();
        var version = answer.resolved().version();
        return new Resolution(
                bundle.id(),
                version.id(),
                snapshot.name().namespace().value(),
                snapshot.name().bundle().value(),
                snapshot.name().toString(),
                version.version().toString(),
                bundle.name(),
                bundle.description(),
                bundle.sourceType(),
                version.state(),
                snapshot.visibility().toString(),
                ociRef(snapshot, version, host),
                version.digest().toString(),
                host + "/" + snapshot.name() + "@" + version.digest(),
                new Resolution.Layers(layers(answer.resolved().assets())),
                version.size(),
                requested,
                resolvedBy(answer.selector()),
                answer.resolved().tags(),
                version.publishedAt(),
                version.publishedBy(),
                yank(version),
                version.deprecationMessage() == null ? deprecation(bundle) : deprecation(version),
                false, // signatures are referrers, which no version has yet
                null,
                null);
    }

    private static String resolvedBy(Selector selector) {
        return switch (selector) {
            case Selector.Default ignored -> "default";
            case Selector.ByDigest ignored -> "digest";
            case Selector.ByVersion ignored -> "version";
            case Selector.ByTag ignored -> "tag";
            case Selector.ByRange ignored -> "range";
        };
    }

    private static String ociRef(Snapshot bundle, VersionRow version, String host) {
        return host + "/" + bundle.name() + ":" + version.version().ociTag();
    }

    static List<Layer> layers(List<AssetRow> assets) {
        return assets.stream()
                .map(asset -> new Layer(
                        asset.id(),
                        asset.path().value(),
                        asset.assetType().toString(),
                        asset.digest().hex(),
                        asset.size(),
                        asset.mediaType()))
                .toList();
    }

    private static Resolution.@Nullable Yank yank(VersionRow version) {
        return version.yankedAt() == null
                ? null
                : new Resolution.Yank(
                        version.yankedAt(),
                        orEmpty(version.yankedBy()),
                        orEmpty(version.yankReason()),
                        version.yankReasonCode(),
                        version.yankReplacement());
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static Resolution.@Nullable Deprecation deprecation(VersionRow version) {
        return version.deprecationMessage() == null
                ? null
                : new Resolution.Deprecation(version.deprecationMessage(), version.deprecationReplacement());
    }

    private static Resolution.@Nullable Deprecation deprecation(BundleRow bundle) {
        return bundle.deprecationMessage() == null
                ? null
                : new Resolution.Deprecation(bundle.deprecationMessage(), bundle.deprecationReplacement());
    }

    static VersionSummary summary(Snapshot bundle, VersionRow version, String host) {
        return new VersionSummary(
                version.id(),
                version.bundleId(),
                version.version().toString(),
                version.state(),
                ociRef(bundle, version, host),
                version.digest().toString(),
                version.publishedBy(),
                version.yankedBy(),
                version.yankedAt(),
                version.yankReason(),
                version.publishedAt());
    }

    /// @param warnings null where the content was not looked at for this answer
    static VersionDetail detail(
            Snapshot bundle, Snapshot.Resolved resolved, String host, @Nullable List<ContentChecks.Warning> warnings) {
        var version = resolved.version();
        return new VersionDetail(
                version.id(),
                version.bundleId(),
                version.version().toString(),
                version.state(),
                ociRef(bundle, version, host),
                version.digest().toString(),
                version.publishedBy(),
                version.yankedBy(),
                version.yankedAt(),
                version.yankReason(),
                version.publishedAt(),
                new VersionDetail.Manifest(
                        bundle.name().namespace().value(),
                        bundle.name().bundle().value(),
                        version.version().toString(),
                        layers(resolved.assets())),
                resolved.tags(),
                version.size(),
                deprecation(version),
                List.of(),
                warnings == null
                        ? null
                        : warnings.stream()
                                .map(w -> new VersionDetail.Warning(w.path().value(), w.code(), w.detail()))
                                .toList());
    }

    /// A bundle in a list.
    static BundleRecord listed(Snapshot snapshot) {
        var bundle = snapshot.bundle();
        return new BundleRecord(
                bundle.id(),
                snapshot.name().namespace().value(),
                snapshot.name().bundle().value(),
                snapshot.name().toString(),
                bundle.name(),
                bundle.description(),
                snapshot.visibility().toString(),
                bundle.sourceType(),
                bundle.readmeFormat(),
                bundle.createdAt(),
                bundle.updatedAt(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    static BundleRecord bundle(Bundles.Overview overview) {
        var snapshot = overview.bundle();
        var bundle = snapshot.bundle();
        return new BundleRecord(
                bundle.id(),
                snapshot.name().namespace().value(),
                snapshot.name().bundle().value(),
                snapshot.name().toString(),
                bundle.name(),
                bundle.description(),
                snapshot.visibility().toString(),
                bundle.sourceType(),
                bundle.readmeFormat(),
                bundle.createdAt(),
                bundle.updatedAt(),
                bundle.readmeContent(),
                overview.latest() == null ? null : overview.latest().toString(),
                overview.versions(),
                overview.assets(),
                bundle.license(),
                bundle.repositoryUrl(),
                bundle.homepageUrl(),
                bundle.keywordList(),
                deprecation(bundle));
    }
}
