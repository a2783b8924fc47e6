package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.PathRules;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.Asset;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.BundleLimits;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.StoredAsset;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.org.quota.QuotaCheck;
import dev.sheaf.server.org.quota.UsageAmounts;
import dev.sheaf.server.registry.content.Blobs;
import dev.sheaf.server.registry.content.StagedBlob;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The working set of a bundle: its assets while they are edited (contract 3.4). Until the first edit it
/// consists of the assets of the latest version. Afterwards it belongs to the bundle: a publish copies it and
/// does not change it, and other pushes do not change it either. Thread-safe.
public final class WorkingAssets {
    private final Database database;
    private final Bundles bundles;
    private final Blobs blobs;
    private final QuotaCheck quotas;
    private final BundleLimits limits;

    public WorkingAssets(Database database, Bundles bundles, Blobs blobs, QuotaCheck quotas, BundleLimits limits) {
        this.database = database;
        this.bundles = bundles;
        this.blobs = blobs;
        this.quotas = quotas;
        this.limits = limits;
    }

    /// @param created false if the asset existed before
    public record Put(BundleSnapshot bundle, StoredAsset asset, boolean created) {}

    /// An asset and its bundle.
    public record BundleAsset(BundleSnapshot bundle, StoredAsset asset) {}

    /// Returns the assets after `after`, by path. Only keys of the owner see the working set, and only those that may
    /// write where new versions need approval; others see the assets of the latest version.
    public List<StoredAsset> list(Caller caller, BundleSnapshot bundle, String after, int limit) {
        return database.read(tx -> isEdited(tx, caller, bundle)
                ? WorkingAssetRows.list(tx, bundle.bundle().id(), after, limit)
                : page(latest(tx, bundle), after, limit));
    }

    /// Returns a page of assets after `after`, by path.
    public static List<StoredAsset> page(List<StoredAsset> assets, String after, int limit) {
        return assets.stream()
                .filter(asset -> after.isEmpty() || asset.path().compareTo(new LogicalPath(after)) > 0)
                .limit(limit)
                .toList();
    }

    private static boolean isEdited(Tx tx, Caller caller, BundleSnapshot bundle) {
        return Access.owns(caller, bundle.organizationId(), bundle.name())
                && (!bundle.repository().isReviewed() || Access.mayWrite(caller, bundle))
                && WorkingAssetRows.isBegun(tx, bundle.bundle().id());
    }

    private static List<StoredAsset> latest(Tx tx, BundleSnapshot bundle) {
        return VersionRows.latest(tx, bundle.bundle().id())
                .map(version -> AssetRows.list(tx, version.id()))
                .orElse(List.of());
    }

    /// @throws ProblemException asset-not-found
    public StoredAsset get(Caller caller, BundleSnapshot bundle, LogicalPath path) {
        return database.read(tx -> isEdited(tx, caller, bundle)
                        ? WorkingAssetRows.find(tx, bundle.bundle().id(), path)
                        : in(latest(tx, bundle), path))
                .orElseThrow(() -> missing(bundle.name(), path));
    }

    private static Optional<StoredAsset> in(List<StoredAsset> assets, LogicalPath path) {
        return assets.stream().filter(asset -> asset.path().equals(path)).findFirst();
    }

    private static ProblemException missing(RepositoryName name, LogicalPath path) {
        return new Problem.AssetNotFound(path.value(), name.toString()).raise();
    }

    /// Returns an asset of any version that the caller may see.
    ///
    /// @throws ProblemException asset-not-found, the same for missing and hidden
    public BundleAsset find(Caller caller, UUID assetId) {
        return database.read(tx -> AssetRows.locate(tx, assetId))
                .flatMap(found -> bundles.find(found.bundle())
                        .filter(bundle -> Access.mayRead(caller, bundle))
                        .map(bundle -> new BundleAsset(bundle, found.asset())))
                .orElseThrow(
                        () -> new Problem.AssetNotFound(assetId.toString(), "any bundle that this credential may see")
                                .raise());
    }

    /// Stages the content of an asset. Content that is too large for an asset or for the organization's quota is
    /// refused before it is read.
    ///
    /// @param announced its length in bytes; negative if it is not known
    /// @param content opens the content
    /// @throws ProblemException quota-exceeded or payload-too-large; bad-request if it has another length
    public StagedBlob stage(ChangeOrigin origin, LogicalPath path, long announced, Supplier<InputStream> content) {
        if (announced > limits.assetBytes()) {
            throw new Problem.PayloadTooLarge("the asset " + path + " (max-asset-bytes)", limits.assetBytes(), "bytes")
                    .raise();
        }
        quotas.admit(origin.organizationId(), UsageAmounts.ofBytes(Math.max(announced, 0)));
        StagedBlob staged;
        try (var in = content.get()) {
            staged = blobs.stage(in, limits.assetBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (announced >= 0 && staged.size() != announced) {
            var broken = new Problem.BadRequest("the body announced " + announced + " bytes, but " + staged.size()
                            + " arrived; nothing was stored, send it again")
                    .raise();
            blobs.discard(List.of(staged), broken);
            throw broken;
        }
        return staged;
    }

    /// Creates or replaces an asset. An equal asset changes nothing.
    ///
    /// @param sent describes the staged content; without a mode the existing mode stays
    /// @param precondition receives the existing asset or null, and throws if it is not what the caller expects
    /// @throws ProblemException validation-failed if the path equals another one on a case-insensitive file
    /// system; payload-too-large; those of [Bundles#writable]
    public Put put(
            ChangeOrigin origin,
            RepositoryName name,
            Asset sent,
            StagedBlob content,
            Consumer<@Nullable BundleAsset> precondition) {
        try {
            return database.write(tx -> {
                var bundle = edited(tx, origin, name);
                var id = bundle.bundle().id();
                var before = WorkingAssetRows.find(tx, id, sent.path());
                precondition.accept(
                        before.map(view -> new BundleAsset(bundle, view)).orElse(null));
                var asset = sent.executable() != null
                        ? sent
                        : sent.with(
                                before.isEmpty() ? Boolean.FALSE : before.get().executable());
                if (before.isEmpty()) {
                    fits(WorkingAssetRows.paths(tx, id), asset.path());
                }
                long blob = blobs.link(tx, bundle.repository(), content);
                if (before.filter(view -> view.asset().equals(asset)).isEmpty()) {
                    WorkingAssetRows.put(tx, bundle, asset, blob);
                    before.ifPresent(view -> blobs.letGo(tx, bundle.repository(), view.digest()));
                    check(WorkingAssetRows.total(tx, id));
                    AuditRows.record(tx, origin, "asset.put", name + "/" + asset.path());
                }
                var after = WorkingAssetRows.find(tx, id, asset.path()).orElseThrow();
                return new Put(bundle, after, before.isEmpty());
            });
        } catch (RuntimeException e) {
            blobs.discard(List.of(content), e);
            throw e;
        }
    }

    /// Refuses a path that clashes with existing ones.
    private static void fits(List<LogicalPath> paths, LogicalPath added) {
        var before = new HashSet<>(PathRules.clashes(paths));
        var together = new ArrayList<>(paths);
        together.add(added);
        var errors = PathRules.clashes(together).stream()
                .filter(clash -> !before.contains(clash))
                .map(clash -> new Problem.FieldError("path", clash.code(), clash.detail()))
                .toList();
        if (!errors.isEmpty()) {
            throw new Problem.ValidationFailed(errors).raise();
        }
    }

    private void check(WorkingAssetRows.Total total) {
        if (total.count() > limits.assetCount()) {
            throw new Problem.PayloadTooLarge("the bundle (max-assets)", limits.assetCount(), "assets").raise();
        }
        if (total.bytes() > limits.bundleBytes()) {
            throw new Problem.PayloadTooLarge("the bundle's content (max-bundle-bytes)", limits.bundleBytes(), "bytes")
                    .raise();
        }
    }

    /// Returns the locked bundle for an edit. Creates its own working set if it has none yet.
    private BundleSnapshot edited(Tx tx, ChangeOrigin origin, RepositoryName name) {
        var bundle = bundles.lock(tx, origin, name);
        quotas.enforce(tx);
        var id = bundle.bundle().id();
        if (!WorkingAssetRows.isBegun(tx, id)) {
            WorkingAssetRows.begin(tx, bundle, VersionRows.latest(tx, id).orElse(null));
        }
        return bundle;
    }

    /// @param precondition as for [#put]
    /// @throws ProblemException asset-not-found; those of [Bundles#writable]
    public void delete(
            ChangeOrigin origin, RepositoryName name, LogicalPath path, Consumer<@Nullable BundleAsset> precondition) {
        database.write(tx -> {
            var bundle = edited(tx, origin, name);
            var id = bundle.bundle().id();
            var before = WorkingAssetRows.find(tx, id, path);
            precondition.accept(
                    before.map(view -> new BundleAsset(bundle, view)).orElse(null));
            if (!WorkingAssetRows.delete(tx, id, path)) {
                throw missing(name, path);
            }
            before.ifPresent(view -> blobs.letGo(tx, bundle.repository(), view.digest()));
            AuditRows.record(tx, origin, "asset.delete", name + "/" + path);
            return path;
        });
    }
}
