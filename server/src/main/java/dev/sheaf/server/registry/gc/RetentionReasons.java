package dev.sheaf.server.registry.gc;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.wire.bundle.ContentStatus;
import dev.sheaf.model.wire.bundle.ContentStatus.Reason;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.registry.BundleHolds;
import dev.sheaf.server.registry.ManifestState;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import dev.sheaf.server.registry.RetentionPolicy;
import dev.sheaf.server.registry.content.DeletionRows;
import dev.sheaf.server.registry.content.ManifestRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Explains why a repository keeps a manifest or a blob, or when it will be deleted. Uses the same rules as the
/// collector. Thread-safe.
public final class RetentionReasons {
    private final Database database;
    private final Repositories repositories;
    private final RetentionPolicy keeping;
    private final BundleHolds holds;

    public RetentionReasons(Database database, Repositories repositories, RetentionPolicy keeping, BundleHolds holds) {
        this.database = database;
        this.repositories = repositories;
        this.keeping = keeping;
        this.holds = holds;
    }

    /// Returns the status of some content. Only the organization that owns the repository may see it.
    ///
    /// @throws dev.sheaf.model.ProblemException not-found if the repository does not hold it and its bytes do
    /// not wait to be removed; bundle-not-found as [Access#read], and for other organizations
    public ContentStatus status(Caller caller, RepositoryName name, Digest digest) {
        var repository =
                Access.read(caller, name, repositories.find(caller, name).orElse(null));
        if (!Access.owns(caller, repository.organizationId(), name)) {
            throw Access.hidden(caller, name).raise();
        }
        return database.read(tx -> manifest(tx, repository, digest)
                        .or(() -> blob(tx, repository, digest))
                        .or(() -> deleted(tx, repository, digest)))
                .orElseThrow(() -> missing(name, digest).raise());
    }

    /// Returns the problem for content that the repository does not hold.
    public static Problem missing(RepositoryName name, Digest digest) {
        return new Problem.NotFound("the content " + digest + " in " + name);
    }

    private Optional<ContentStatus> manifest(Tx tx, Repository repository, Digest digest) {
        return ManifestRows.any(tx, repository.id(), digest).map(manifest -> {
            var state = CollectorRows.manifests(tx, List.of(manifest.id())).getFirst();
            var reasons = new ArrayList<Reason>();
            add(
                    reasons,
                    "version",
                    holds.versions(tx, state.id(), RetentionRows.SHOWN),
                    version -> "it is version " + version);
            add(
                    reasons,
                    "review",
                    holds.reviews(tx, state.id(), RetentionRows.SHOWN),
                    version -> "it was pushed as version " + version + ", which needs or needed approval");
            add(reasons, "tag", RetentionRows.tags(tx, state.id()), tag -> "the tag " + tag + " points to it");
            add(reasons, "index", RetentionRows.indexes(tx, state.id()), index -> "the index " + index + " lists it");
            var subject = manifest.subject();
            if (subject != null
                    && ManifestRows.any(tx, repository.id(), subject).isPresent()) {
                add(reasons, "subject", List.of(subject.toString()), of -> "it refers to the manifest " + of);
            }
            boolean isNeeded = !reasons.isEmpty();
            var goes = isNeeded ? Optional.<Instant>empty() : keeping.goes(state);
            lease(reasons, state.leasedUntil(), tx.now());
            if (!isNeeded) {
                reasons.add(unneeded(state, goes.isEmpty()));
            }
            boolean isKept = goes.filter(end -> !end.isAfter(tx.now())).isEmpty();
            return new ContentStatus(
                    digest.toString(),
                    "manifest",
                    state.size(),
                    manifest.mediaType(),
                    isKept,
                    reasons,
                    state.leasedUntil(),
                    goes.orElse(null));
        });
    }

    private static Reason unneeded(ManifestState state, boolean isForEver) {
        String why = ManifestSweep.reason(state);
        return isForEver
                ? new Reason(
                        "untagged", null, "nothing needs it, but this installation keeps manifests forever: " + why)
                : new Reason("unneeded", null, "nothing needs it: " + why);
    }

    private Optional<ContentStatus> blob(Tx tx, Repository repository, Digest digest) {
        return RetentionRows.link(tx, repository.id(), digest)
                .flatMap(key -> CollectorRows.link(tx, key))
                .map(link -> {
                    var reasons = new ArrayList<Reason>();
                    add(
                            reasons,
                            "manifest",
                            RetentionRows.manifests(tx, link.key()),
                            manifest -> "the manifest " + manifest + " refers to it");
                    add(
                            reasons,
                            "asset",
                            holds.workingAssets(
                                    tx, link.key().repositoryId(), link.key().blobId(), RetentionRows.SHOWN),
                            path -> "it is the working asset " + path);
                    boolean isNeeded = !reasons.isEmpty();
                    lease(reasons, link.leasedUntil(), tx.now());
                    if (!isNeeded) {
                        reasons.add(new Reason("unneeded", null, "no manifest of the repository refers to it"));
                    }
                    return new ContentStatus(
                            digest.toString(),
                            "blob",
                            link.blob().size(),
                            null,
                            isNeeded || !LinkSweep.isOver(link, tx.now()),
                            reasons,
                            link.leasedUntil(),
                            isNeeded ? null : link.leasedUntil());
                });
    }

    private static Optional<ContentStatus> deleted(Tx tx, Repository repository, Digest digest) {
        return DeletionRows.of(tx, repository.id(), digest).stream()
                .findFirst()
                .map(entry -> new ContentStatus(
                        digest.toString(),
                        "deleted",
                        entry.size(),
                        null,
                        false,
                        List.of(new Reason("deleted", null, entry.reason())),
                        null,
                        entry.dueAt()));
    }

    private static void add(List<Reason> reasons, String code, List<String> names, Function<String, String> detail) {
        names.forEach(name -> reasons.add(new Reason(code, name, detail.apply(name))));
    }

    private static void lease(List<Reason> reasons, @Nullable Instant until, Instant now) {
        if (until != null && until.isAfter(now)) {
            reasons.add(new Reason(
                    "lease", null, "it was pushed, or a client checked for it during a push, a short time ago"));
        }
    }
}
