package dev.sheaf.server.bundle.tag;

import dev.sheaf.model.Tag;
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
import java.util.Optional;
import org.jspecify.annotations.Nullable;
/// The tag `latest`, which the service keeps: it follows the highest version that qualifies, unless somebody pinned it
/// by hand (contract 2).

public final class LatestTag {
    private LatestTag() {}

    /// `latest` as a transaction finds it.
    ///
    /// @param tag null: there is none
    /// @param pinned whether somebody pointed it by hand to a version, which is not yanked
    public record Latest(@Nullable TagRecord tag, boolean pinned) {
        /// Whether it tells that there is a version that is not yanked.
        public boolean isOfVersion() {
            return pinned || tag != null && tag.kind() == Tags.Kind.MANAGED;
        }

        private boolean isManagedAt(VersionRow version) {
            return tag != null && tag.kind() == Tags.Kind.MANAGED && tag.manifestId() == version.manifestId();
        }
    }

    private static Latest latest(Tx tx, Tags tags, Snapshot bundle) {
        return latest(
                tx,
                bundle,
                tags.find(tx, bundle.repository(), Tag.LATEST.value()).orElse(null));
    }

    /// @param tag null: there is none
    public static Latest latest(Tx tx, Snapshot bundle, @Nullable TagRecord tag) {
        boolean pinned = tag != null
                && tag.kind() == Tags.Kind.USER
                && VersionRows.findByManifest(tx, bundle.bundle().id(), tag.manifestId())
                        .filter(version -> !version.isYanked())
                        .isPresent();
        return new Latest(tag, pinned);
    }

    /// Points `latest` to the highest version that qualifies, or removes it where none does, unless somebody pinned
    /// it by hand, and brings the hub up to date. Called in every transaction that changes which versions there are
    /// (contract 2), when all else of it is done.
    public static void recomputeLatest(Tx tx, Tags tags, Snapshot bundle, String actor) {
        HubIndex.refresh(tx, bundle.repository().id());
        var current = latest(tx, tags, bundle);
        if (current.pinned()) {
            return;
        }
        var right = VersionRows.latest(tx, bundle.bundle().id());
        if (right.isPresent()) {
            follow(tx, tags, bundle, current, right.get(), actor);
        } else if (current.tag() != null && !isOrdinary(tx, bundle, current.tag())) {
            tags.remove(tx, bundle.repository(), Tag.LATEST.value(), actor);
        }
    }

    /// Points `latest` to the version that it means now, unless somebody pinned it by hand.
    ///
    /// @param current as it was before the version was there that is new: what an OCI client put under `latest`
    /// while there was no version is no pin, though it may have become one's manifest
    public static void follow(Tx tx, Tags tags, Snapshot bundle, Latest current, VersionRow right, String actor) {
        if (!current.pinned() && !current.isManagedAt(right)) {
            tags.set(
                    tx,
                    bundle.repository(),
                    Tag.LATEST.value(),
                    current.tag(),
                    right.manifest(),
                    Tags.Kind.MANAGED,
                    actor);
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
        var tag = current.tag();
        return current.pinned()
                || tag != null && isOrdinary(tx, bundle, tag)
                || Optional.ofNullable(tag).map(TagRecord::manifestId).equals(right.map(VersionRow::manifestId));
    }

    /// Gives a `latest` that was pinned by hand back to the service.
    public static void unpin(Tx tx, Tags tags, Origin origin, Snapshot bundle, TagRecord pinned) {
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
