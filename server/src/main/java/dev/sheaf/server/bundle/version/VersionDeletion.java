package dev.sheaf.server.bundle.version;

import dev.sheaf.engine.db.DataChange;
import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.text.Unicode;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.BundleChanges;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.NearMatches;
import dev.sheaf.server.bundle.PullCounts;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.publish.WorkingAssetRows;
import dev.sheaf.server.bundle.requirement.Dependents;
import dev.sheaf.server.bundle.requirement.RequiredBy;
import dev.sheaf.server.bundle.review.ReviewEnds;
import dev.sheaf.server.bundle.tag.BundleTags;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.TombstoneRows;
import dev.sheaf.server.registry.content.BlobRecord;
import dev.sheaf.server.registry.content.Manifests;
import dev.sheaf.server.registry.content.RecalledRows;
import dev.sheaf.server.registry.gc.ContentRemoval;
import dev.sheaf.server.registry.tag.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Deletes versions, which leave tombstones (contract 3.7). Every deletion is one transaction with its tags, event
/// and audit entry. Thread-safe.
public final class VersionDeletion {
    /// The time after publishing in which a write key may delete a version.
    static final Duration EARLY = Duration.ofHours(72);

    private static final int MAX_REASON = 1_000;

    private final Database database;
    private final Repositories repositories;
    private final Tags tags;
    private final Manifests manifests;
    private final ContentRemoval removal;
    private final PullCounts downloads;

    /// @param downloads reports whether somebody outside the owning organization has pulled a version
    public VersionDeletion(
            Database database,
            Repositories repositories,
            Tags tags,
            Manifests manifests,
            ContentRemoval removal,
            PullCounts downloads) {
        this.database = database;
        this.repositories = repositories;
        this.tags = tags;
        this.manifests = manifests;
        this.removal = removal;
        this.downloads = downloads;
    }

    /// A request to delete a version.
    ///
    /// @param reason the reason that the caller gave
    /// @param purge whether to remove the bytes immediately, even if somebody is reading them
    /// @param force whether to delete it even if versions of the own organization need it
    public record Request(Version version, @Nullable String reason, boolean purge, boolean force) {}

    /// Reads the reason for deleting a version or a bundle from a request body.
    public static @Nullable String reason(RequestFields fields) {
        return fields.optional("reason", MAX_REASON);
    }

    /// Reads the reason from a query parameter.
    ///
    /// @throws ProblemException validation-failed
    public static String reason(String text) {
        if (text.length() > MAX_REASON || text.indexOf('\0') >= 0 || !Unicode.isWellFormed(text)) {
            throw Problem.invalid("too-long", "must be at most " + MAX_REASON + " characters without NUL");
        }
        return text;
    }

    /// The result of deleting a version.
    ///
    /// @param removed content that no repository of the organization holds any more
    /// @param kept content that the organization still needs, and what needs it
    /// @param workingAssets paths removed from the working set; only with a purge
    /// @param pending content in `removed` whose bytes could not be removed yet
    /// @param dependents public bundles of others that require the bundle, at most 20
    public record Deleted(
            Version version,
            Digest digest,
            List<Digest> removed,
            List<Kept> kept,
            List<String> workingAssets,
            List<Digest> pending,
            List<String> dependents) {}

    public record Kept(Digest digest, List<String> holders) {}

    private record Gone(
            VersionRow version,
            ContentRemoval.Outcome content,
            List<Kept> kept,
            List<String> workingAssets,
            List<String> dependents) {}

    /// Deletes a version. From now on, requests for its number or digest get version-deleted.
    ///
    /// @throws ProblemException version-not-found, version-deleted; conflict if an admin key is needed, or an
    /// index lists its manifest; required-by if versions of the own organization need it; validation-failed if a
    /// reason is needed; those of [Access#delete]
    public Deleted version(ChangeOrigin origin, RepositoryName name, Request request) {
        downloads.flush();
        var gone = database.write(tx -> {
            var bundle = lock(tx, origin, name);
            var row = VersionRows.exact(tx, bundle.bundle().id(), request.version())
                    .orElseThrow(() -> NearMatches.missing(
                                    tx, tags, bundle, request.version().toString())
                            .raise());
            mayDelete(tx, origin, name, row, request);
            if (!request.force() && row.publishedAt().plus(EARLY).isBefore(tx.now())) {
                RequiredBy.check(tx, origin, bundle, row);
            }
            Dependents.changed(tx, bundle, row, Dependents.Cause.DELETED);
            ReviewEnds.withdraw(tx, origin, bundle.repository(), row.version());
            bury(tx, origin.actor(), bundle, row, request.reason(), request.purge());
            var ids = manifest(tx, origin, bundle, row);
            var outcome = content(tx, bundle, ids, request.purge());
            record(tx, origin, bundle, row, request);
            return new Gone(
                    row,
                    outcome.content(),
                    outcome.kept(),
                    outcome.workingAssets(),
                    RequiredBy.dependents(tx, origin, bundle));
        });
        return erased(gone, request.purge());
    }

    private BundleSnapshot lock(Tx tx, ChangeOrigin origin, RepositoryName name) {
        var repository =
                Access.delete(origin.caller(), name, repositories.lock(tx, name).orElse(null));
        return BundleRows.find(tx, repository.id())
                .map(bundle -> new BundleSnapshot(repository, bundle))
                .orElseThrow(() -> Access.hidden(origin.caller(), name).raise());
    }

    private void mayDelete(Tx tx, ChangeOrigin origin, RepositoryName name, VersionRow row, Request request) {
        if (request.purge()) {
            Access.scope(origin.caller(), Scope.ADMIN);
            needReason(request.reason(), "a purge cannot be undone");
        } else if (row.recall() != null) {
            recalled(origin, name + ":" + row.version(), "is recalled");
            needReason(request.reason(), "those who have the version no longer learn that it is recalled");
        } else if (row.publishedAt().plus(EARLY).isBefore(tx.now())) {
            late(origin, name + ":" + row.version(), "was published more than 72 hours ago", request.reason());
        } else if (PullCounts.pulledOutside(tx, row.id())) {
            late(origin, name + ":" + row.version(), "was downloaded by others", request.reason());
        }
    }

    /// Requires an admin, because the change ends the warning to those who have a recalled version.
    ///
    /// @param why a clause
    static void recalled(ChangeOrigin origin, String what, String why) {
        if (!origin.caller().scope().includes(Scope.ADMIN)) {
            throw new Problem.Conflict(what + " " + why
                            + ", and those who have it would no longer learn of that: this needs a key with the scope"
                            + " admin")
                    .raise();
        }
    }

    /// Requires an admin key and a reason.
    static void late(ChangeOrigin origin, String what, String why, @Nullable String reason) {
        if (!origin.caller().scope().includes(Scope.ADMIN)) {
            throw new Problem.Conflict(what + " " + why
                            + ", so others may rely on it: to delete it you need a key with the scope admin, and"
                            + " a reason")
                    .raise();
        }
        needReason(reason, what + " " + why);
    }

    private static void needReason(@Nullable String reason, String why) {
        if (reason == null || reason.isBlank()) {
            throw new Problem.ValidationFailed(List.of(
                            new Problem.FieldError("/reason", "required", "\"reason\" is required, since " + why)))
                    .raise();
        }
    }

    /// Replaces a version's row with a tombstone.
    static void bury(
            Tx tx, String actor, BundleSnapshot bundle, VersionRow row, @Nullable String reason, boolean purged) {
        TombstoneRows.insert(
                tx,
                bundle.repository(),
                new TombstoneRows.Grave(row.id(), row.version(), row.digest(), row.yankedAt(), reason, purged),
                actor);
        VersionRows.delete(tx, bundle, row.id());
    }

    /// Moves the tags away and deletes the manifest, unless another version has it. Returns the blobs that it
    /// referred to.
    private Set<Long> manifest(Tx tx, ChangeOrigin origin, BundleSnapshot bundle, VersionRow row) {
        tags.remove(tx, bundle.repository(), row.version().ociTag(), origin.actor());
        boolean shared = VersionRows.findByManifest(tx, bundle.bundle().id(), row.manifestId())
                .isPresent();
        if (shared) {
            BundleTags.vacate(tx, tags, origin, bundle, row);
            return Set.of();
        }
        BundleTags.abandon(tx, tags, origin, bundle, row);
        if (row.recall() != null) { // or what it shares with others would stay marked
            RecalledRows.unrecall(tx, bundle.repository(), List.of(row.manifestId()));
        }
        return removal.manifest(
                tx,
                bundle.repository(),
                manifests.find(tx, bundle.repository(), row.digest()).orElseThrow());
    }

    private record Content(ContentRemoval.Outcome content, List<Kept> kept, List<String> workingAssets) {}

    private Content content(Tx tx, BundleSnapshot bundle, Set<Long> blobs, boolean purge) {
        var repository = bundle.repository();
        var workingAssets = purge
                ? WorkingAssetRows.deleteHolding(tx, bundle.bundle().id(), removal.unreferred(tx, repository, blobs))
                : List.<String>of();
        var outcome = removal.blobs(tx, repository, blobs, purge);
        if (purge) {
            tx.changed(new DataChange(DataChange.Kind.CONTENT, ""));
        }
        var kept = new ArrayList<Kept>();
        for (var blobsThere : List.of(outcome.kept(), outcome.gone())) {
            for (BlobRecord blob : blobsThere) {
                var holders = removal.holders(tx, repository, blob);
                if (!holders.isEmpty()) {
                    kept.add(new Kept(blob.digest(), holders));
                }
            }
        }
        return new Content(outcome, List.copyOf(kept), workingAssets);
    }

    private static void record(Tx tx, ChangeOrigin origin, BundleSnapshot bundle, VersionRow row, Request request) {
        String name = bundle.name().toString();
        BundleChanges.record(
                tx,
                origin,
                bundle,
                request.purge() ? "version.purge" : "version.delete",
                name + ":" + row.version(),
                new Event.VersionDeleted(
                        row.bundleId(),
                        row.id(),
                        name,
                        row.version().toString(),
                        row.digest().toString(),
                        request.reason() == null ? "" : request.reason(),
                        request.purge()));
    }

    private Deleted erased(Gone gone, boolean purge) {
        var pending = purge ? removal.erase(gone.content().objects()) : Set.<Digest>of();
        var held = gone.kept().stream().map(Kept::digest).toList();
        var removed = gone.content().gone().stream()
                .filter(blob -> !held.contains(blob.digest()))
                .toList();
        return new Deleted(
                gone.version().version(),
                gone.version().digest(),
                removed.stream().map(BlobRecord::digest).toList(),
                gone.kept(),
                gone.workingAssets(),
                removed.stream()
                        .filter(blob -> pending.contains(blob.digest()))
                        .map(BlobRecord::digest)
                        .toList(),
                gone.dependents());
    }
}
