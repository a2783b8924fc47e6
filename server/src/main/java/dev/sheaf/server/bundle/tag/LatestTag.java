package dev.sheaf.server.bundle.tag;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Tag;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.BundleChanges;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.hub.HubIndex;
import dev.sheaf.server.registry.tag.TagRecord;
import dev.sheaf.server.registry.tag.Tags;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The tag `latest`, which the registry manages: it follows the highest version that qualifies, unless somebody
/// pinned it (contract 2).
public final class LatestTag {
    private LatestTag() {}

    /// The state of `latest` in a transaction.
    ///
    /// @param tag null if it does not exist
    /// @param pinned whether somebody pointed it to a version, and that version is not yanked
    public record Latest(@Nullable TagRecord tag, boolean pinned) {
        /// Returns whether an OCI client pushed it, so that only `/v2` follows it.
        public boolean isOfRegistry() {
            return tag != null && tag.kind() == Tags.Kind.REGISTRY;
        }

        private boolean isManagedAt(VersionRow version) {
            return tag != null && tag.kind() == Tags.Kind.MANAGED && tag.manifestId() == version.manifestId();
        }
    }

    private static Latest latest(Tx tx, Tags tags, BundleSnapshot bundle) {
        return latest(
                tx,
                bundle,
                tags.find(tx, bundle.repository(), Tag.LATEST.value()).orElse(null));
    }

    /// @param tag null if it does not exist
    public static Latest latest(Tx tx, BundleSnapshot bundle, @Nullable TagRecord tag) {
        boolean pinned = tag != null
                && tag.kind() == Tags.Kind.USER
                && VersionRows.findByManifest(tx, bundle.bundle().id(), tag.manifestId())
                        .filter(version -> !version.isYanked())
                        .isPresent();
        return new Latest(tag, pinned);
    }

    /// Points `latest` to the highest version that qualifies, or removes it if there is none, unless it is pinned.
    /// Also updates the hub. Must be called at the end of every transaction that changes which versions exist
    /// (contract 2).
    public static void recomputeLatest(Tx tx, Tags tags, BundleSnapshot bundle, String actor) {
        HubIndex.refresh(tx, bundle.repository().id());
        var current = latest(tx, tags, bundle);
        if (current.pinned()) {
            return;
        }
        var right = VersionRows.latest(tx, bundle.bundle().id());
        if (current.isOfRegistry()) {
            remember(tx, tags, bundle, actor);
        } else if (right.isPresent()) {
            move(current, right.get(), false)
                    .ifPresent(move -> tags.set(tx, bundle.repository(), List.of(move), actor));
        } else if (current.tag() != null && !isOrdinary(tx, bundle, current.tag())) {
            tags.remove(tx, bundle.repository(), Tag.LATEST.value(), actor);
        }
    }

    /// Returns whether a push of `latest` by an OCI client pins it: to a published version, and another than the one
    /// that it means now.
    ///
    /// @param tag null if it does not exist
    static boolean isPinnedBy(Tx tx, BundleSnapshot bundle, @Nullable TagRecord tag, long manifestId) {
        if (VersionRows.published(tx, bundle.bundle().id(), manifestId).isEmpty()) {
            return false;
        }
        var current = latest(tx, bundle, tag);
        return current.pinned()
                || VersionRows.latest(tx, bundle.bundle().id())
                        .filter(right -> right.manifestId() == manifestId)
                        .isEmpty();
    }

    /// Returns what users see of a `latest` that an OCI client pushed: the version that the registry would choose.
    static Optional<VersionRow> shown(Tx tx, BundleSnapshot bundle, TagRecord tag) {
        return tag.kind() == Tags.Kind.REGISTRY && tag.name().equals(Tag.LATEST.value())
                ? VersionRows.latest(tx, bundle.bundle().id())
                : Optional.empty();
    }

    /// Returns whether users see `latest` at this version, although the tag of `/v2` is where an OCI client pushed it.
    static boolean isMeant(Tx tx, Tags tags, BundleSnapshot bundle, VersionRow version) {
        return tags.find(tx, bundle.repository(), Tag.LATEST.value())
                .flatMap(tag -> shown(tx, bundle, tag))
                .filter(right -> right.id().equals(version.id()))
                .isPresent();
    }

    /// Writes into the history where `latest` is for users, while its tag is where an OCI client pushed it.
    public static void remember(Tx tx, Tags tags, BundleSnapshot bundle, String actor) {
        tags.find(tx, bundle.repository(), Tag.LATEST.value())
                .flatMap(tag -> shown(tx, bundle, tag))
                .ifPresent(right -> {
                    var moves = tags.history(tx, bundle.repository(), Tag.LATEST.value(), Long.MAX_VALUE, 1);
                    var last = moves.isEmpty() ? null : moves.getFirst().newDigest();
                    if (!right.digest().equals(last)) {
                        Tags.remember(tx, bundle.repository(), Tag.LATEST.value(), last, right.digest(), actor);
                    }
                });
    }

    /// Returns the move that points `latest` to its right version. Empty if it points there already, is pinned, or
    /// is where an OCI client pushed it.
    ///
    /// @param current the state before the new version existed: if an OCI client set `latest` while there was
    /// no version, that is not a pin, even if its manifest now belongs to a version
    /// @param keeps whether a version still needs the manifest to which it points
    public static Optional<Tags.Move> move(Latest current, VersionRow right, boolean keeps) {
        return current.pinned() || current.isOfRegistry() || current.isManagedAt(right)
                ? Optional.empty()
                : Optional.of(
                        new Tags.Move(Tag.LATEST.value(), current.tag(), right.manifest(), Tags.Kind.MANAGED, keeps));
    }

    /// Returns whether `latest` is an ordinary tag: an OCI client set it and no version exists.
    private static boolean isOrdinary(Tx tx, BundleSnapshot bundle, TagRecord latest) {
        return latest.kind() == Tags.Kind.USER
                && !VersionRows.hasAny(tx, bundle.bundle().id());
    }

    /// Returns whether `latest` is where [#recomputeLatest] would put it.
    static boolean isLatestRight(Tx tx, Tags tags, BundleSnapshot bundle) {
        var current = latest(tx, tags, bundle);
        if (current.isOfRegistry()) {
            return true;
        }
        var right = VersionRows.latest(tx, bundle.bundle().id());
        var tag = current.tag();
        return current.pinned()
                || tag != null && isOrdinary(tx, bundle, tag)
                || Optional.ofNullable(tag).map(TagRecord::manifestId).equals(right.map(VersionRow::manifestId));
    }

    /// Removes the pin of `latest`, so that the registry manages the tag again.
    public static void unpin(Tx tx, Tags tags, ChangeOrigin origin, BundleSnapshot bundle, TagRecord pinned) {
        VersionRows.latest(tx, bundle.bundle().id())
                .ifPresentOrElse(
                        latest -> tags.set(
                                tx,
                                bundle.repository(),
                                pinned.name(),
                                latest.manifest(),
                                Tags.Kind.MANAGED,
                                origin.actor()),
                        () -> tags.remove(tx, bundle.repository(), pinned.name(), origin.actor()));
        var event = new Event.TagUnpinned(bundle.name().toString(), pinned.name());
        BundleChanges.record(tx, origin, bundle, "tag.unpin", bundle.name() + ":" + pinned.name(), event);
    }
}
