package dev.sheaf.server.bundle.tag;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.bundle.BundleChanges;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.hub.HubIndex;
import dev.sheaf.server.registry.tag.TagRecord;
import dev.sheaf.server.registry.tag.Tags;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What bundles add to the registry's tags: which of them users see, where they may point, and the tag `latest`.
public final class BundleTags {
    private BundleTags() {}

    /// The tags of a version that users know, sorted: all but its number, and those that may not mean it.
    public static List<String> of(List<TagRecord> tags, Version version) {
        return tags.stream()
                .filter(tag -> tag.kind() != Tags.Kind.VERSION)
                .map(TagRecord::name)
                .filter(name -> new Tag(name).mayMean(version))
                .sorted()
                .toList();
    }

    /// The version that a tag means; empty where its manifest is none's, or, where the tag reads as a range, none's
    /// of it. Such a tag is known under /v2 alone.
    public static Optional<VersionRow> version(Tx tx, Snapshot bundle, TagRecord row) {
        var id = bundle.bundle().id();
        var tag = new Tag(row.name());
        return tag.range().isEmpty()
                ? VersionRows.findByManifest(tx, id, row.manifestId())
                : VersionRows.published(tx, id, row.manifestId()).stream()
                        .filter(version -> tag.mayMean(version.version()))
                        .findFirst();
    }

    /// `latest` as a transaction finds it.
    ///
    /// @param pinned whether somebody pointed it by hand to a version, which is not yanked
    record Latest(@Nullable TagRecord tag, boolean pinned) {
        private boolean isAt(VersionRow version) {
            return tag != null && tag.manifestId() == version.manifestId();
        }
    }

    public static Latest latest(Tx tx, Tags tags, Snapshot bundle) {
        var tag = tags.find(tx, bundle.repository(), Tag.LATEST.value());
        boolean pinned = tag.filter(row -> row.kind() == Tags.Kind.USER)
                .flatMap(row -> VersionRows.findByManifest(tx, bundle.bundle().id(), row.manifestId()))
                .filter(version -> !version.isYanked())
                .isPresent();
        return new Latest(tag.orElse(null), pinned);
    }

    /// Points `latest` to the highest version that qualifies, or removes it where none does, unless somebody pinned
    /// it by hand, and brings the hub up to date. Called in every transaction that changes which versions there are
    /// (contract 2), when all else of it is done.
    public static void recomputeLatest(Tx tx, Tags tags, Snapshot bundle, String actor) {
        recomputeLatest(tx, tags, bundle, latest(tx, tags, bundle), actor);
    }

    /// @param current as it was before the version was there that is new: what an OCI client put under `latest` while
    /// there was no version is no pin, though it may have become one's manifest
    public static void recomputeLatest(Tx tx, Tags tags, Snapshot bundle, Latest current, String actor) {
        HubIndex.refresh(tx, bundle.repository().id());
        if (current.pinned()) {
            return;
        }
        var right = VersionRows.latest(tx, bundle.bundle().id());
        if (right.isPresent()) {
            boolean kept = current.tag() != null && current.tag().kind() == Tags.Kind.MANAGED;
            if (!kept || !current.isAt(right.get())) {
                tags.set(
                        tx,
                        bundle.repository(),
                        Tag.LATEST.value(),
                        right.get().manifestId(),
                        Tags.Kind.MANAGED,
                        actor);
            }
        } else if (current.tag() != null && !isOrdinary(tx, bundle, current.tag())) {
            tags.remove(tx, bundle.repository(), Tag.LATEST.value(), actor);
        }
    }

    /// Whether `latest` is a tag like others: an OCI client put it on a manifest while there are no versions.
    private static boolean isOrdinary(Tx tx, Snapshot bundle, TagRecord latest) {
        return latest.kind() == Tags.Kind.USER
                && !VersionRows.hasAny(tx, bundle.bundle().id());
    }

    /// Whether `latest` is where [#recomputeLatest] would leave it.
    static boolean isLatestRight(Tx tx, Tags tags, Snapshot bundle) {
        var current = latest(tx, tags, bundle);
        var right = VersionRows.latest(tx, bundle.bundle().id());
        return current.pinned()
                || current.tag() != null && isOrdinary(tx, bundle, current.tag())
                || Optional.ofNullable(current.tag())
                        .map(TagRecord::manifestId)
                        .equals(right.map(VersionRow::manifestId));
    }

    /// Gives a `latest` that was pinned by hand back to the service.
    public static void unpin(Tx tx, Tags tags, Origin origin, Snapshot bundle, TagRecord pinned) {
        VersionRows.latest(tx, bundle.bundle().id())
                .ifPresentOrElse(
                        latest -> tags.set(
                                tx,
                                bundle.repository(),
                                pinned.name(),
                                latest.manifestId(),
                                Tags.Kind.MANAGED,
                                origin.actor()),
                        () -> tags.remove(tx, bundle.repository(), pinned.name(), origin.actor()));
        BundleChanges.record(
                tx,
                origin,
                "tag.unpin",
                bundle.name() + ":" + pinned.name(),
                new Event.TagUnpinned(bundle.name().toString(), pinned.name()));
    }

    /// Refuses what would point a tag by hand to a yanked version or to what it may not mean, or move one that is
    /// protected.
    public static void mayMove(Tx tx, Snapshot bundle, Tag tag, @Nullable TagRecord current, long manifestId) {
        if (isYanked(tx, bundle, manifestId)) {
            throw new Problem.Conflict("the tag " + tag + " of " + bundle.name()
                            + " cannot point to a version that is yanked; unyank it first, or choose another")
                    .raise();
        }
        mayMean(tx, bundle, tag, manifestId);
        if (current != null && current.isProtected() && current.manifestId() != manifestId) {
            throw new Problem.TagProtected(bundle.name(), tag).raise();
        }
    }

    /// While there are versions, `latest` is one of them, and a tag that reads as a range one of that range
    /// (contract 2).
    private static void mayMean(Tx tx, Snapshot bundle, Tag tag, long manifestId) {
        boolean ranged = tag.range().isPresent();
        boolean isThere = manifestId >= 0; // else it is a version's that is yet to come
        if (!isThere || !ranged && !tag.equals(Tag.LATEST)) {
            return;
        }
        var versions = VersionRows.published(tx, bundle.bundle().id(), manifestId);
        if (versions.stream().anyMatch(version -> tag.mayMean(version.version()))
                || !VersionRows.hasAny(tx, bundle.bundle().id())) {
            return;
        }
        if (ranged) {
            throw outside(bundle, tag);
        }
        throw Problem.invalid(
                "range",
                "the tag latest of " + bundle.name() + " means one of its versions, and this manifest is none; push it"
                        + " under a version such as " + bundle.name() + ":1.2.3 first, which latest then follows, or"
                        + " under another tag");
    }

    private static ProblemException outside(Snapshot bundle, Tag tag) {
        return Problem.invalid(
                "range",
                "the tag " + tag + " of " + bundle.name()
                        + " reads as a range of versions, so it can only point to a version in it; choose a word such"
                        + " as \"stable\", or a version that " + tag + " means");
    }

    /// The same as [#mayMove] for a version that is not there yet.
    public static void mayMean(Snapshot bundle, Tag tag, Version version) {
        if (!tag.mayMean(version)) {
            throw outside(bundle, tag);
        }
    }

    /// True where the manifest is that of versions, and all of them are yanked.
    static boolean isYanked(Tx tx, Snapshot bundle, long manifestId) {
        return VersionRows.findByManifest(tx, bundle.bundle().id(), manifestId)
                .filter(VersionRow::isYanked)
                .isPresent();
    }

    /// Moves every tag away from a version that has just been yanked: to the next version that qualifies, or it
    /// goes where there is none. A protected tag too: protection is against mistakes, and a tag never points to
    /// what is yanked.
    public static void vacate(Tx tx, Tags tags, Origin origin, Snapshot bundle, VersionRow yanked) {
        if (isYanked(tx, bundle, yanked.manifestId())) {
            leave(tx, tags, origin, bundle, yanked);
        }
        recomputeLatest(tx, tags, bundle, origin.actor());
    }

    private static void leave(Tx tx, Tags tags, Origin origin, Snapshot bundle, VersionRow version) {
        var lower = VersionRows.successor(tx, version);
        for (var row : tags.pointingAt(tx, version.manifestId())) {
            if (row.kind() == Tags.Kind.USER) {
                var tag = new Tag(row.name());
                var next = tag.range().isEmpty() ? lower : successor(tx, version, tag);
                next.ifPresentOrElse(
                        to -> move(tx, tags, origin, bundle, row.name(), to.manifestId()),
                        () -> end(tx, tags, origin, bundle, row));
            }
        }
    }

    /// The highest version below that a tag may mean which reads as a range.
    private static Optional<VersionRow> successor(Tx tx, VersionRow version, Tag tag) {
        return VersionRows.published(tx, version.bundleId()).stream()
                .filter(other -> other.compareTo(version.version()) < 0)
                .filter(tag::mayMean)
                .findFirst()
                .flatMap(other -> VersionRows.find(tx, version.bundleId(), other));
    }

    /// A tag that has nowhere to go is removed; a pin of `latest` ends.
    private static void end(Tx tx, Tags tags, Origin origin, Snapshot bundle, TagRecord tag) {
        if (tag.name().equals(Tag.LATEST.value())) {
            unpin(tx, tags, origin, bundle, tag);
        } else {
            remove(tx, tags, origin, bundle, tag);
        }
    }

    /// The same for a version that is no more, and whose manifest is that of no other: no tag is left on it.
    public static void abandon(Tx tx, Tags tags, Origin origin, Snapshot bundle, VersionRow gone) {
        leave(tx, tags, origin, bundle, gone);
        tags.find(tx, bundle.repository(), Tag.LATEST.value())
                .filter(latest -> latest.manifestId() == gone.manifestId())
                .ifPresent(latest -> tags.remove(tx, bundle.repository(), latest.name(), origin.actor()));
        recomputeLatest(tx, tags, bundle, origin.actor());
    }

    /// Points a tag to a manifest by hand; the same again changes nothing, and pins no `latest`.
    public static void move(Tx tx, Tags tags, Origin origin, Snapshot bundle, String tag, long manifestId) {
        var before = tags.find(tx, bundle.repository(), tag);
        if (before.filter(row -> row.manifestId() == manifestId).isPresent()) {
            return;
        }
        tags.set(tx, bundle.repository(), tag, manifestId, Tags.Kind.USER, origin.actor());
        var digest = tags.find(tx, bundle.repository(), tag).orElseThrow().digest();
        BundleChanges.record(
                tx,
                origin,
                "tag.move",
                bundle.name() + ":" + tag,
                new Event.TagMoved(bundle.name().toString(), tag, digest.toString()));
    }

    /// Removes a tag.
    public static void remove(Tx tx, Tags tags, Origin origin, Snapshot bundle, TagRecord tag) {
        tags.remove(tx, bundle.repository(), tag.name(), origin.actor());
        BundleChanges.record(
                tx,
                origin,
                "tag.delete",
                bundle.name() + ":" + tag.name(),
                new Event.TagDeleted(
                        bundle.name().toString(), tag.name(), tag.digest().toString()));
    }
}
