package dev.sheaf.server.bundle;

import dev.sheaf.model.Tag;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.registry.TagRecord;
import dev.sheaf.server.registry.Tags;
import java.util.List;
import java.util.Optional;

/// What bundles add to the registry's tags: which of them users see, and the tag `latest`.
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

    /// Points `latest` to the highest version that qualifies, unless somebody pinned it by hand. Called in every
    /// transaction that changes which versions there are (contract 2).
    ///
    /// @return what latest would be by that rule
    static Optional<VersionRow> recomputeLatest(Tx tx, Tags tags, Snapshot bundle, String actor) {
        var latest = VersionRows.latest(tx, bundle.bundle().id());
        var current = tags.find(tx, bundle.repository(), Tag.LATEST.value());
        boolean pinned = current.filter(tag -> tag.kind() == Tags.Kind.USER).isPresent();
        if (latest.isPresent()
                && !pinned
                && current.filter(tag -> tag.manifestId() == latest.get().manifestId())
                        .isEmpty()) {
            tags.set(tx, bundle.repository(), Tag.LATEST.value(), latest.get().manifestId(), Tags.Kind.MANAGED, actor);
        }
        return latest;
    }
}
