package dev.sheaf.server.bundle;

import dev.sheaf.model.Problem;
import dev.sheaf.model.Tag;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.registry.TagRecord;
import dev.sheaf.server.registry.Tags;
import java.util.List;
import java.util.Optional;

/// What bundles add to the registry's tags: which of them users see, where they may point, and the tag `latest`.
final class BundleTags {
    private BundleTags() {}

    /// The tags that users know, sorted: all but those that are a version's number.
    static List<String> of(List<TagRecord> tags) {
        return tags.stream()
                .filter(tag -> tag.kind() != Tags.Kind.VERSION)
                .map(TagRecord::name)
                .sorted()
                .toList();
    }

    /// Points `latest` to the highest version that qualifies, or removes it where none does, unless somebody pinned
    /// it by hand to what is not yanked, and brings the hub up to date. Called in every transaction that changes
    /// which versions there are (contract 2), when all else of it is done.
    ///
    /// @return what latest would be by that rule
    static Optional<VersionRow> recomputeLatest(Tx tx, Tags tags, Snapshot bundle, String actor) {
        HubIndex.refresh(tx, bundle.repository().id());
        var latest = VersionRows.latest(tx, bundle.bundle().id());
        var current = tags.find(tx, bundle.repository(), Tag.LATEST.value());
        boolean pinned = current.filter(tag -> tag.kind() == Tags.Kind.USER && !isYanked(tx, bundle, tag.manifestId()))
                .isPresent();
        if (pinned) {
            return latest;
        }
        if (latest.isEmpty() && current.isPresent()) {
            tags.remove(tx, bundle.repository(), Tag.LATEST.value(), actor);
        }
        if (latest.isPresent()
                && current.filter(tag -> tag.manifestId() == latest.get().manifestId())
                        .isEmpty()) {
            tags.set(tx, bundle.repository(), Tag.LATEST.value(), latest.get().manifestId(), Tags.Kind.MANAGED, actor);
        }
        return latest;
    }

    /// Whether `latest` is where [#recomputeLatest] would leave it.
    static boolean isLatestRight(Tx tx, Tags tags, Snapshot bundle) {
        var current = tags.find(tx, bundle.repository(), Tag.LATEST.value());
        if (current.filter(tag -> tag.kind() == Tags.Kind.USER && !isYanked(tx, bundle, tag.manifestId()))
                .isPresent()) {
            return true;
        }
        return current.map(TagRecord::manifestId)
                .equals(VersionRows.latest(tx, bundle.bundle().id()).map(VersionRow::manifestId));
    }

    /// Gives a `latest` that was pinned by hand back to the service.
    static void unpin(Tx tx, Tags tags, Origin origin, Snapshot bundle, TagRecord pinned) {
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
        OutboxRows.emit(
                tx, origin.organizationId(), new Event.TagUnpinned(bundle.name().toString(), pinned.name()));
        AuditRows.record(tx, origin, "tag.unpin", bundle.name() + ":" + pinned.name());
    }

    /// Refuses what would point a tag by hand to a yanked version, or move one that is protected.
    static void mayMove(Tx tx, Snapshot bundle, Tag tag, Optional<TagRecord> current, long manifestId) {
        if (isYanked(tx, bundle, manifestId)) {
            throw new Problem.Conflict("the tag " + tag + " of " + bundle.name()
                            + " cannot point to a version that is yanked; unyank it first, or choose another")
                    .raise();
        }
        if (current.filter(row -> row.isProtected() && row.manifestId() != manifestId)
                .isPresent()) {
            throw new Problem.TagProtected(bundle.name(), tag).raise();
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
    static void vacate(Tx tx, Tags tags, Origin origin, Snapshot bundle, VersionRow yanked) {
        if (isYanked(tx, bundle, yanked.manifestId())) {
            leave(tx, tags, origin, bundle, yanked);
        }
        recomputeLatest(tx, tags, bundle, origin.actor());
    }

    private static void leave(Tx tx, Tags tags, Origin origin, Snapshot bundle, VersionRow version) {
        var next = VersionRows.successor(tx, version);
        for (var tag : tags.pointingAt(tx, version.manifestId())) {
            if (tag.kind() != Tags.Kind.VERSION && !tag.name().equals(Tag.LATEST.value())) {
                next.ifPresentOrElse(
                        to -> move(tx, tags, origin, bundle, tag.name(), to.manifestId()),
                        () -> remove(tx, tags, origin, bundle, tag));
            }
        }
    }

    /// The same for a version that is no more, and whose manifest is that of no other: no tag is left on it, a
    /// `latest` that was pinned there included.
    static void abandon(Tx tx, Tags tags, Origin origin, Snapshot bundle, VersionRow gone) {
        leave(tx, tags, origin, bundle, gone);
        tags.find(tx, bundle.repository(), Tag.LATEST.value())
                .filter(latest -> latest.manifestId() == gone.manifestId())
                .ifPresent(latest -> tags.remove(tx, bundle.repository(), latest.name(), origin.actor()));
        recomputeLatest(tx, tags, bundle, origin.actor());
    }

    /// Points a tag to a manifest by hand; the same again changes nothing.
    static void move(Tx tx, Tags tags, Origin origin, Snapshot bundle, String tag, long manifestId) {
        var before = tags.find(tx, bundle.repository(), tag);
        if (before.filter(row -> row.manifestId() == manifestId && row.kind() == Tags.Kind.USER)
                .isPresent()) {
            return;
        }
        tags.set(tx, bundle.repository(), tag, manifestId, Tags.Kind.USER, origin.actor());
        var digest = tags.find(tx, bundle.repository(), tag).orElseThrow().digest();
        OutboxRows.emit(
                tx, origin.organizationId(), new Event.TagMoved(bundle.name().toString(), tag, digest.toString()));
        AuditRows.record(tx, origin, "tag.move", bundle.name() + ":" + tag);
    }

    /// Removes a tag.
    static void remove(Tx tx, Tags tags, Origin origin, Snapshot bundle, TagRecord tag) {
        tags.remove(tx, bundle.repository(), tag.name(), origin.actor());
        OutboxRows.emit(
                tx,
                origin.organizationId(),
                new Event.TagDeleted(
                        bundle.name().toString(), tag.name(), tag.digest().toString()));
        AuditRows.record(tx, origin, "tag.delete", bundle.name() + ":" + tag.name());
    }
}
