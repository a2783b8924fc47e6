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
/// The tag `latest`, which the service manages: it follows the highest version that qualifies, unless somebody
/// pinned it (contract 2).

public final class LatestTag {
    private LatestTag() {}

    /// The state of `latest` in a transaction.
    ///
    /// @param tag null if it does not exist
    /// @param pinned whether somebody pointed it to a version, and that version is not yanked
    public record Latest(@Nullable TagRecord tag, boolean pinned) {
        /// Returns whether the tag shows that there is a version that is not yanked.
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

    /// @param tag null if it does not exist
    public static Latest latest(Tx tx, Snapshot bundle, @Nullable TagRecord tag) {
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

    /// Points `latest` to the version that it means now, unless it is pinned.
    ///
    /// @param current the state before the new version existed: if an OCI client set `latest` while there was no
    /// version, that is not a pin, even if its manifest has become that of a version
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

    /// Returns whether `latest` is an ordinary tag: an OCI client set it while there are no versions.
    private static boolean isOrdinary(Tx tx, Snapshot bundle, TagRecord latest) {
        return latest.kind() == Tags.Kind.USER
                && !VersionRows.hasAny(tx, bundle.bundle().id());
    }

    /// Returns whether `latest` is where [#recomputeLatest] would put it.
    static boolean isLatestRight(Tx tx, Tags tags, Snapshot bundle) {
        var current = latest(tx, tags, bundle);
        var right = VersionRows.latest(tx, bundle.bundle().id());
        var tag = current.tag();
        return current.pinned()
                || tag != null && isOrdinary(tx, bundle, tag)
                || Optional.ofNullable(tag).map(TagRecord::manifestId).equals(right.map(VersionRow::manifestId));
    }

    /// Makes the service manage a pinned `latest` again.
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
