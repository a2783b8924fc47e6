package dev.sheaf.server.bundle.tag;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.NearMatches;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.registry.content.Manifests;
import dev.sheaf.server.registry.content.StoredManifest;
import dev.sheaf.server.registry.tag.TagMove;
import dev.sheaf.server.registry.tag.TagRecord;
import dev.sheaf.server.registry.tag.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads and sets the tags of a bundle on behalf of users (contract 3.6). Only published versions that are not
/// yanked can be tagged. A change is one transaction with its history, event and audit entry. Thread-safe.
public final class TagChanges {
    private static final int AT_LEAST = 20;

    private final Database database;
    private final Bundles bundles;
    private final Tags tags;
    private final Manifests manifests;

    public TagChanges(Database database, Bundles bundles, Tags tags, Manifests manifests) {
        this.database = database;
        this.bundles = bundles;
        this.tags = tags;
        this.manifests = manifests;
    }

    /// A tag and its version; null if an OCI client tagged a manifest that is not a version.
    public record Named(TagRecord tag, @Nullable Version version) {}

    /// A move of a tag, with the versions of its digests if they are versions.
    ///
    /// @param isByYank whether the yank of the version before moved it
    /// @param isAfterYanked whether the version after is yanked now
    public record Moved(
            TagMove move,
            @Nullable Version before,
            @Nullable Version after,
            boolean isByYank,
            boolean isAfterYanked) {}

    /// @param created false if the tag existed before
    public record Put(Named named, boolean created) {}

    /// Returns the tags after `after`, by name.
    public List<Named> list(BundleSnapshot bundle, @Nullable String after, int limit) {
        return database.read(tx -> {
            var found = new ArrayList<Named>();
            String from = after == null ? "" : after;
            for (boolean more = true; more && found.size() < limit; ) {
                int missing = Math.max(limit - found.size(), AT_LEAST); // some are only visible to the registry
                var rows = tags.named(tx, bundle.repository(), from, missing);
                found.addAll(named(tx, bundle, rows, from, missing));
                more = rows.size() == missing;
                from = more ? rows.getLast().name() : from;
            }
            return found.stream().limit(limit).toList();
        });
    }

    private static List<Named> named(Tx tx, BundleSnapshot bundle, List<TagRecord> rows, String from, int limit) {
        var versions = VersionRows.ofTags(tx, bundle.repository().id(), from, limit);
        return rows.stream()
                .map(row -> seen(tx, bundle, row, () -> named(tx, bundle, row, versions.get(row.manifestId()))))
                .flatMap(Optional::stream)
                .toList();
    }

    /// @param newest the newest version with the tag's manifest; another version is looked up only if the tag
    ///     must not point to this one
    private static Named named(Tx tx, BundleSnapshot bundle, TagRecord row, @Nullable Version newest) {
        return newest == null || new Tag(row.name()).mayMean(newest) ? new Named(row, newest) : named(tx, bundle, row);
    }

    /// Returns what users see of a tag: nothing of one that only `/v2` shows, and of a `latest` that an OCI client
    /// pushed the version that the registry would choose.
    ///
    /// @param named finds its version
    private static Optional<Named> seen(Tx tx, BundleSnapshot bundle, TagRecord row, Supplier<Named> named) {
        if (row.kind() == Tags.Kind.REGISTRY) {
            return LatestTag.shown(tx, bundle, row)
                    .map(right -> new Named(
                            new TagRecord(
                                    row.name(),
                                    right.manifestId(),
                                    right.digest(),
                                    Tags.Kind.MANAGED,
                                    false,
                                    row.updatedAt(),
                                    row.updatedBy()),
                            right.version()))
                    .or(() -> row.name().equals(Tag.LATEST.value())
                            ? Optional.of(new Named(row, null))
                            : Optional.empty());
        }
        return Optional.of(named.get()).filter(TagChanges::isKnown);
    }

    private static boolean isRange(TagRecord row) {
        return new Tag(row.name()).range().isPresent();
    }

    private static Named named(Tx tx, BundleSnapshot bundle, TagRecord row) {
        return new Named(
                row,
                BundleTags.version(tx, bundle, row).map(VersionRow::version).orElse(null));
    }

    /// Returns whether users see the tag: a tag that reads as a range but does not point to a version in it is
    /// only visible under /v2.
    private static boolean isKnown(Named named) {
        return named.version() != null || !isRange(named.tag());
    }

    /// @throws ProblemException tag-not-found
    public Named get(BundleSnapshot bundle, Tag tag) {
        return database.read(tx -> find(tx, bundle, tag)).orElseThrow(() -> missing(bundle.name(), tag));
    }

    private Optional<Named> find(Tx tx, BundleSnapshot bundle, Tag tag) {
        return tags.find(tx, bundle.repository(), tag.value())
                .flatMap(row -> seen(tx, bundle, row, () -> named(tx, bundle, row)));
    }

    /// Returns the tag's row, even if users do not see the tag.
    private @Nullable TagRecord row(Tx tx, BundleSnapshot bundle, Tag tag) {
        return tags.find(tx, bundle.repository(), tag.value()).orElse(null);
    }

    private static ProblemException missing(RepositoryName name, Tag tag) {
        return new Problem.TagNotFound(name, tag.value()).raise();
    }

    /// Points a tag to a version. On `latest` this pins it until it is deleted.
    ///
    /// @param precondition receives the existing tag or null, and throws if it is not what the caller expects
    /// @throws ProblemException version-not-found; conflict if the version is yanked; tag-moved; tag-protected if
    /// it would move; those of [Bundles#writable]
    public Put put(
            ChangeOrigin origin,
            RepositoryName name,
            Tag tag,
            TagTarget target,
            Consumer<@Nullable Named> precondition) {
        return database.write(tx -> {
            var bundle = bundles.lock(tx, origin, name);
            var current = find(tx, bundle, tag);
            precondition.accept(current.orElse(null));
            var version = VersionRows.exact(tx, bundle.bundle().id(), target.version())
                    .orElseThrow(() -> NearMatches.missing(
                                    tx, tags, bundle, target.version().toString())
                            .raise());
            expect(tx, bundle, tag, current.orElse(null), target.expected());
            boolean lifts = Boolean.FALSE.equals(target.protect());
            BundleTags.mayMove(tx, bundle, tag, lifts ? null : row(tx, bundle, tag), version.manifestId());
            if (current.filter(named -> named.tag().manifestId() == version.manifestId())
                    .isEmpty()) {
                BundleTags.move(tx, tags, origin, bundle, tag.value(), version.manifest());
            }
            protect(tx, origin, bundle, tag, target.protect());
            return new Put(find(tx, bundle, tag).orElseThrow(), current.isEmpty());
        });
    }

    private void protect(Tx tx, ChangeOrigin origin, BundleSnapshot bundle, Tag tag, @Nullable Boolean protect) {
        var current = tags.find(tx, bundle.repository(), tag.value());
        if (protect != null
                && current.filter(row -> row.isProtected() != protect).isPresent()) {
            if (current.filter(row -> row.kind() != Tags.Kind.USER).isPresent()) {
                throw new Problem.Conflict("the tag " + tag + " of " + bundle.name() + " follows the highest"
                                + " version automatically, so it cannot be protected; pin it to another version first")
                        .raise();
            }
            tags.protect(tx, bundle.repository(), tag.value(), protect);
            AuditRows.record(tx, origin, protect ? "tag.protect" : "tag.unprotect", bundle.name() + ":" + tag);
        }
    }

    /// Checks the expected version (compare-and-set).
    private static void expect(
            Tx tx, BundleSnapshot bundle, Tag tag, @Nullable Named current, @Nullable Version expected) {
        if (expected == null) {
            return;
        }
        boolean holds = VersionRows.exact(tx, bundle.bundle().id(), expected)
                .filter(row -> current != null && current.tag().manifestId() == row.manifestId())
                .isPresent();
        if (!holds) {
            Object actual = current == null
                    ? "nothing"
                    : Objects.requireNonNullElse(
                            current.version(), current.tag().digest());
            throw new Problem.TagMoved(bundle.name(), tag, expected, actual.toString()).raise();
        }
    }

    /// Removes a tag. If a pinned `latest` is removed, the registry manages it again.
    ///
    /// @throws ProblemException tag-not-found, tag-protected; conflict if the registry manages it; those of
    /// [Bundles#writable]
    public void delete(ChangeOrigin origin, RepositoryName name, Tag tag, Consumer<@Nullable Named> precondition) {
        database.write(tx -> {
            var bundle = bundles.lock(tx, origin, name);
            var current = find(tx, bundle, tag);
            precondition.accept(current.orElse(null));
            var row = current.orElseThrow(() -> missing(name, tag)).tag();
            if (row.isProtected()) {
                throw new Problem.TagProtected(name, tag).raise();
            }
            boolean isPushed = tags.find(tx, bundle.repository(), tag.value())
                    .filter(its -> its.kind() == Tags.Kind.REGISTRY)
                    .isPresent();
            if (row.kind() == Tags.Kind.MANAGED && !isPushed) {
                throw new Problem.Conflict("the tag " + tag + " of " + name
                                + " is managed by the registry: it follows the highest version and disappears"
                                + " with the last one")
                        .raise();
            }
            if (tag.equals(Tag.LATEST)) {
                LatestTag.unpin(tx, tags, origin, bundle, row);
            } else {
                BundleTags.remove(tx, tags, origin, bundle, row);
            }
            return row;
        });
    }

    /// Returns the moves of a tag before the one numbered `before`, newest first. A deleted tag still has a
    /// history.
    ///
    /// @throws ProblemException tag-not-found if it never existed
    public List<Moved> history(BundleSnapshot bundle, Tag tag, long before, int limit) {
        return database.read(tx -> {
            var moves = tags.history(tx, bundle.repository(), tag.value(), before, limit);
            if (moves.isEmpty() && before == Long.MAX_VALUE) {
                throw missing(bundle.name(), tag);
            }
            var digests = moves.stream()
                    .flatMap(move -> Stream.of(move.oldDigest(), move.newDigest()))
                    .filter(Objects::nonNull)
                    .distinct()
                    .toList();
            var versions = VersionRows.named(tx, bundle.repository().id(), digests);
            var past = VersionRows.onceYanked(tx, bundle.repository().id(), digests);
            return moves.stream().map(move -> moved(move, versions, past)).toList();
        });
    }

    /// @param past the yanks that were taken back
    private static Moved moved(TagMove move, Map<Digest, VersionRows.Named> versions, Set<VersionRows.Named> past) {
        var before = move.oldDigest() == null ? null : versions.get(move.oldDigest());
        var after = move.newDigest() == null ? null : versions.get(move.newDigest());
        // a yank and the moves that it makes are one transaction, which has one time
        boolean isByYank = before != null
                && (move.movedAt().equals(before.yankedAt())
                        || past.contains(new VersionRows.Named(before.digest(), before.version(), move.movedAt())));
        return new Moved(
                move,
                before == null ? null : before.version(),
                after == null ? null : after.version(),
                isByYank,
                after != null && after.yankedAt() != null);
    }

    /// Returns a tag to where it was before its last move, or to where a move in its history put it.
    ///
    /// @throws ProblemException tag-not-found if it never existed; conflict if there is nothing to return to, or
    /// the version is yanked or deleted; tag-moved, tag-protected; those of [Bundles#writable]
    public Named rollback(ChangeOrigin origin, RepositoryName name, Tag tag, TagRollback rollback) {
        return database.write(tx -> {
            var bundle = bundles.lock(tx, origin, name);
            var current = find(tx, bundle, tag);
            var digest = destination(tx, bundle, tag, rollback.entry());
            expect(tx, bundle, tag, current.orElse(null), rollback.expected());
            var manifest = manifests
                    .hold(tx, bundle.repository(), digest)
                    .map(held -> new StoredManifest(held.id(), digest))
                    .orElseThrow(() -> nothing(bundle, tag, "the manifest " + digest + " no longer exists"));
            BundleTags.mayMove(tx, bundle, tag, row(tx, bundle, tag), manifest.id());
            BundleTags.move(tx, tags, origin, bundle, tag.value(), manifest);
            return find(tx, bundle, tag).orElseThrow();
        });
    }

    private Digest destination(Tx tx, BundleSnapshot bundle, Tag tag, @Nullable UUID entry) {
        var last = tags.history(tx, bundle.repository(), tag.value(), Long.MAX_VALUE, 1).stream()
                .findFirst()
                .orElseThrow(() -> missing(bundle.name(), tag));
        if (entry == null) {
            return Objects.requireNonNullElseGet(last.oldDigest(), () -> {
                throw nothing(bundle, tag, "it did not exist before its last move");
            });
        }
        var named = tags.move(tx, bundle.repository(), tag.value(), entry)
                .orElseThrow(
                        () -> new Problem.NotFound("the entry " + entry + " in the history of the tag " + tag).raise());
        return Objects.requireNonNullElseGet(named.newDigest(), () -> {
            throw nothing(bundle, tag, "that entry removed it");
        });
    }

    private static ProblemException nothing(BundleSnapshot bundle, Tag tag, String why) {
        return new Problem.Conflict("the tag " + tag + " of " + bundle.name() + " cannot be rolled back: " + why
                        + "; name another entry of its history")
                .raise();
    }
}
