package dev.sheaf.server.bundle.tag;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.BundleChanges;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.registry.content.StoredManifest;
import dev.sheaf.server.registry.tag.TagRecord;
import dev.sheaf.server.registry.tag.Tags;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rules that bundles add to the registry's tags: which tags users see, where they may point, and the tag
/// `latest`.
public final class BundleTags {
    private static final long NO_MANIFEST = -1;

    private BundleTags() {}

    /// Returns the tags of a version that users see, sorted, without its number and without tags that must
    /// not point to it.
    public static List<String> of(List<TagRecord> tags, Version version) {
        return visible(
                tags.stream()
                        .filter(tag -> tag.kind() == Tags.Kind.USER || tag.kind() == Tags.Kind.MANAGED)
                        .map(TagRecord::name),
                version);
    }

    /// Returns the tags of a version that users see, sorted.
    public static List<String> of(Tx tx, Tags tags, BundleSnapshot bundle, VersionRow row) {
        var names = of(tags.pointingAt(tx, row.manifestId()), row.version());
        return names.contains(Tag.LATEST.value()) || !LatestTag.isMeant(tx, tags, bundle, row)
                ? names
                : Stream.concat(names.stream(), Stream.of(Tag.LATEST.value()))
                        .sorted()
                        .toList();
    }

    /// Returns the version's tags that users see, sorted.
    ///
    /// @param names the names of tags that are not version numbers
    public static List<String> visible(Stream<String> names, Version version) {
        return names.filter(name -> new Tag(name).mayMean(version))
                .distinct()
                .sorted()
                .toList();
    }

    /// Returns the version to which a tag points. Empty if its manifest does not belong to a version, or if the
    /// tag reads as a range and the version is not in that range. Such a tag is only visible under /v2.
    public static Optional<VersionRow> version(Tx tx, BundleSnapshot bundle, TagRecord row) {
        if (row.kind() == Tags.Kind.REGISTRY) {
            return Optional.empty();
        }
        var id = bundle.bundle().id();
        var tag = new Tag(row.name());
        return tag.range().isEmpty()
                ? VersionRows.findByManifest(tx, id, row.manifestId())
                : VersionRows.published(tx, id, row.manifestId()).stream()
                        .filter(version -> tag.mayMean(version.version()))
                        .findFirst();
    }

    /// Refuses to move a tag to a yanked version or to a version to which it must not point, and to move a
    /// protected tag.
    public static void mayMove(Tx tx, BundleSnapshot bundle, Tag tag, @Nullable TagRecord current, long manifestId) {
        refuseYanked(bundle, tag.value(), isYanked(tx, bundle, manifestId));
        mayMean(tx, bundle, tag, manifestId);
        refuseProtected(bundle, tag, current, manifestId);
    }

    /// Refuses the same for the manifest of a version that is, or is about to be, published.
    ///
    /// @param current the tag now; null if it does not exist
    /// @param row the version; null if it does not exist yet
    /// @param isYanked whether all versions with its manifest are yanked
    public static void mayMove(
            BundleSnapshot bundle,
            Tag tag,
            Version version,
            @Nullable TagRecord current,
            @Nullable VersionRow row,
            boolean isYanked) {
        if (!tag.mayMean(version)) {
            throw outside(bundle, tag);
        }
        refuseYanked(bundle, tag.value(), isYanked);
        refuseProtected(bundle, tag, current, row == null ? NO_MANIFEST : row.manifestId());
    }

    private static void refuseYanked(BundleSnapshot bundle, String tag, boolean isYanked) {
        if (isYanked) {
            throw new Problem.Conflict("the tag " + tag + " of " + bundle.name()
                            + " cannot point to a version that is yanked; unyank it first, or choose another")
                    .raise();
        }
    }

    private static void refuseProtected(BundleSnapshot bundle, Tag tag, @Nullable TagRecord current, long manifestId) {
        if (current != null && current.isProtected() && current.manifestId() != manifestId) {
            throw new Problem.TagProtected(bundle.name(), tag).raise();
        }
    }

    /// Points a tag to a manifest that an OCI client pushed. A name that means something else in the API, such as a
    /// range, is a tag of `/v2` alone, wherever it points: no push changes what a range means (contract 2).
    /// `latest` is one too, unless that pins it to another published version than it means now.
    ///
    /// @param name a tag, or the number of a version whose precedence another version has
    public static void push(
            Tx tx, Tags tags, ChangeOrigin origin, BundleSnapshot bundle, String name, StoredManifest to) {
        var current = tags.find(tx, bundle.repository(), name).orElse(null);
        boolean isNumber = Version.ofOciTag(name).isPresent();
        boolean isLatest = name.equals(Tag.LATEST.value());
        refuseYanked(bundle, name, isYanked(tx, bundle, to.id()));
        if (!isNumber) {
            refuseProtected(bundle, new Tag(name), current, to.id());
        }
        boolean isOfRegistry = isLatest
                ? !LatestTag.isPinnedBy(tx, bundle, current, to.id())
                : isNumber || new Tag(name).range().isPresent();
        move(tx, tags, origin, bundle, name, current, to, isOfRegistry ? Tags.Kind.REGISTRY : Tags.Kind.USER);
        if (isLatest) {
            LatestTag.remember(tx, tags, bundle, origin.actor());
        }
    }

    /// Checks that `latest` points to a version while versions exist, and that a tag that reads as a range
    /// points to a version in the range (contract 2).
    private static void mayMean(Tx tx, BundleSnapshot bundle, Tag tag, long manifestId) {
        boolean ranged = tag.range().isPresent();
        if (!ranged && !tag.equals(Tag.LATEST)) {
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
                "the tag latest of " + bundle.name() + " always points to a version, and this manifest is not"
                        + " one; push it as a version such as " + bundle.name() + ":1.2.3, so that latest"
                        + " follows it, or to another tag");
    }

    private static ProblemException outside(BundleSnapshot bundle, Tag tag) {
        return Problem.invalid(
                "range",
                "the tag " + tag + " of " + bundle.name()
                        + " is a range of versions, so it can only point to a version in that range; choose a"
                        + " word such as \"stable\", or a version in the range");
    }

    /// Returns whether the manifest belongs to versions, all of which are yanked.
    public static boolean isYanked(Tx tx, BundleSnapshot bundle, long manifestId) {
        return VersionRows.findByManifest(tx, bundle.bundle().id(), manifestId)
                .filter(VersionRow::isYanked)
                .isPresent();
    }

    /// Moves every tag away from a version that has just been yanked, to the next version that qualifies; a tag
    /// for which no version qualifies is removed. Protected tags move too: protection is against mistakes, and
    /// a tag never points to a yanked version.
    public static void vacate(Tx tx, Tags tags, ChangeOrigin origin, BundleSnapshot bundle, VersionRow yanked) {
        if (isYanked(tx, bundle, yanked.manifestId())) {
            leave(tx, tags, origin, bundle, yanked);
        }
        LatestTag.recomputeLatest(tx, tags, bundle, origin.actor());
    }

    private static void leave(Tx tx, Tags tags, ChangeOrigin origin, BundleSnapshot bundle, VersionRow version) {
        var lower = VersionRows.successor(tx, version);
        for (var row : tags.pointingAt(tx, version.manifestId())) {
            if (row.kind() == Tags.Kind.USER || row.kind() == Tags.Kind.REGISTRY) {
                next(tx, row, version, lower)
                        .ifPresentOrElse(
                                to -> move(tx, tags, origin, bundle, row.name(), row, to.manifest(), row.kind()),
                                () -> end(tx, tags, origin, bundle, row));
            }
        }
    }

    /// Returns where a tag goes from a version. Empty if it ends.
    private static Optional<VersionRow> next(Tx tx, TagRecord row, VersionRow version, Optional<VersionRow> lower) {
        boolean isOfRegistry = row.kind() == Tags.Kind.REGISTRY;
        if (isOfRegistry
                && (row.name().equals(Tag.LATEST.value())
                        || Version.ofOciTag(row.name()).isPresent())) {
            return Optional.empty();
        }
        var tag = new Tag(row.name());
        return tag.range().isEmpty() ? lower : successor(tx, version, tag);
    }

    /// Returns the highest lower version to which a tag that reads as a range may point.
    private static Optional<VersionRow> successor(Tx tx, VersionRow version, Tag tag) {
        return VersionRows.published(tx, version.bundleId()).stream()
                .filter(other -> other.compareTo(version.version()) < 0)
                .filter(tag::mayMean)
                .findFirst()
                .flatMap(other -> VersionRows.find(tx, version.bundleId(), other));
    }

    /// Ends a tag that has no version to move to: it is removed, or a pinned `latest` is unpinned.
    private static void end(Tx tx, Tags tags, ChangeOrigin origin, BundleSnapshot bundle, TagRecord tag) {
        if (tag.name().equals(Tag.LATEST.value())) {
            LatestTag.unpin(tx, tags, origin, bundle, tag);
        } else {
            remove(tx, tags, origin, bundle, tag);
        }
    }

    /// Moves every tag away from a deleted version, if no other version has its manifest.
    public static void abandon(Tx tx, Tags tags, ChangeOrigin origin, BundleSnapshot bundle, VersionRow gone) {
        leave(tx, tags, origin, bundle, gone);
        tags.find(tx, bundle.repository(), Tag.LATEST.value())
                .filter(latest -> latest.manifestId() == gone.manifestId())
                .ifPresent(latest -> tags.remove(tx, bundle.repository(), latest.name(), origin.actor()));
        LatestTag.recomputeLatest(tx, tags, bundle, origin.actor());
    }

    /// Points a tag to a manifest on behalf of a user. Repeating it changes nothing and does not pin `latest`.
    public static void move(
            Tx tx, Tags tags, ChangeOrigin origin, BundleSnapshot bundle, String tag, StoredManifest to) {
        move(
                tx,
                tags,
                origin,
                bundle,
                tag,
                tags.find(tx, bundle.repository(), tag).orElse(null),
                to);
    }

    /// Does the same for a tag that the transaction has already read.
    ///
    /// @param before the tag; null if it does not exist
    public static void move(
            Tx tx,
            Tags tags,
            ChangeOrigin origin,
            BundleSnapshot bundle,
            String tag,
            @Nullable TagRecord before,
            StoredManifest to) {
        if (before == null || before.manifestId() != to.id() || before.kind() == Tags.Kind.REGISTRY) {
            move(tx, tags, origin, bundle, tag, before, to, Tags.Kind.USER);
        }
    }

    private static void move(
            Tx tx,
            Tags tags,
            ChangeOrigin origin,
            BundleSnapshot bundle,
            String tag,
            @Nullable TagRecord before,
            StoredManifest to,
            Tags.Kind kind) {
        boolean isThere = before != null && before.manifestId() == to.id();
        if (before != null && isThere && (before.kind() == kind || before.kind() == Tags.Kind.USER)) {
            return;
        }
        tags.set(tx, bundle.repository(), tag, before, to, kind, origin.actor());
        if (isThere) {
            return; // the same for everybody who follows it
        }
        var event =
                new Event.TagMoved(bundle.name().toString(), tag, to.digest().toString());
        BundleChanges.record(tx, origin, bundle, "tag.move", bundle.name() + ":" + tag, event);
    }

    /// Removes a tag.
    public static void remove(Tx tx, Tags tags, ChangeOrigin origin, BundleSnapshot bundle, TagRecord tag) {
        tags.remove(tx, bundle.repository(), tag.name(), origin.actor());
        var event = new Event.TagDeleted(
                bundle.name().toString(), tag.name(), tag.digest().toString());
        BundleChanges.record(tx, origin, bundle, "tag.delete", bundle.name() + ":" + tag.name(), event);
    }
}
