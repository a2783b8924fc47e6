package dev.sheaf.server.v1.bundle;

import dev.sheaf.model.Selector;
import dev.sheaf.model.archive.PackedFile;
import dev.sheaf.model.wire.bundle.Asset;
import dev.sheaf.model.wire.bundle.BundleRecord;
import dev.sheaf.model.wire.bundle.InnerFile;
import dev.sheaf.model.wire.bundle.Layer;
import dev.sheaf.model.wire.bundle.Resolution;
import dev.sheaf.model.wire.bundle.VersionDetail;
import dev.sheaf.model.wire.bundle.VersionSummary;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.Deprecation;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.check.ContentChecks;
import dev.sheaf.server.bundle.version.Resolve;
import dev.sheaf.server.bundle.version.VersionNotes;
import dev.sheaf.server.http.message.Call;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Converts rows to the records of the API.
final class Wire {
    private Wire() {}

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
                signature == null ? null : signature.at());
    }

    static String resolvedBy(Selector selector) {
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
    static @Nullable String actor(@Nullable String actor, Snapshot bundle, Call call) {
        return actor == null || isInside(bundle, call)
                ? actor
                : bundle.name().namespace().value();
    }

    static boolean isInside(Snapshot bundle, Call call) {
        return Access.owns(call.caller(), bundle.organizationId(), bundle.name());
    }

    private static Resolution.@Nullable Yank yank(VersionRow version, Snapshot bundle, Call call) {
        return version.yankedAt() == null
                ? null
                : new Resolution.Yank(
                        version.yankedAt(),
                        orEmpty(actor(version.yankedBy(), bundle, call)),
                        orEmpty(version.yankReason()),
                        text(version.yankReasonCode()),
                        version.yankReplacement());
    }

    static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static Resolution.@Nullable Deprecation deprecation(@Nullable Deprecation advice) {
        return advice == null ? null : new Resolution.Deprecation(advice.message(), advice.replacement());
    }

    static Asset asset(Call call, Snapshot bundle, StoredAsset asset) {
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
    static Asset asset(Call call, Snapshot bundle, StoredAsset asset, List<PackedFile> packed) {
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

    static VersionSummary summary(Snapshot bundle, VersionRow version, Call call) {
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
                version.publishedAt());
    }

    static VersionDetail detail(Snapshot bundle, Snapshot.Resolved resolved, Call call, VersionNotes.Of remarks) {
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
                        layers(call, resolved.assets())),
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
                remarks.message());
    }

    static List<VersionDetail.Warning> warnings(List<ContentChecks.Warning> warnings) {
        return warnings.stream()
                .map(warning -> new VersionDetail.Warning(warning.path().value(), warning.code(), warning.detail()))
                .toList();
    }

    /// Returns a bundle in a list.
    static BundleRecord listed(Snapshot snapshot) {
        return bundle(snapshot, null);
    }

    static BundleRecord bundle(Bundles.Overview overview) {
        return bundle(overview.bundle(), overview);
    }

    /// @param detail null in a list
    private static BundleRecord bundle(Snapshot snapshot, Bundles.@Nullable Overview detail) {
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
}
