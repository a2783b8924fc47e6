package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Tag;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.tag.BundleTags;
import dev.sheaf.server.registry.TombstoneRows;
import dev.sheaf.server.registry.tag.TagRecord;
import dev.sheaf.server.registry.tag.Tags;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What exists under the names of a publication, looked up once before its transaction writes.
///
/// @param version the version with the same number; null if there is none
/// @param latest the latest version; null if there is none
/// @param tags the existing tags of the publication, and `latest`, by name
/// @param deleted versions with the same number or manifest, the last deleted first
record TakenNames(
        @Nullable VersionRow version,
        @Nullable VersionRow latest,
        Map<String, TagRecord> tags,
        List<TombstoneRows.Tombstone> deleted) {
    static TakenNames of(Tx tx, Tags tags, BundleSnapshot bundle, NewVersion publication) {
        var content = publication.content();
        var names = new HashSet<String>();
        names.add(Tag.LATEST.value());
        publication.tags().forEach(tag -> names.add(tag.value()));
        var versions = VersionRows.neighbors(tx, bundle.bundle().id(), content.version());
        var existing = tags.find(tx, bundle.repository(), names);
        var deleted = TombstoneRows.either(
                tx, bundle.repository(), content.version(), content.manifest().digest());
        return new TakenNames(versions.get().same(), versions.get().latest(), existing.get(), deleted.get());
    }

    @Nullable
    TagRecord tag(Tag tag) {
        return tags.get(tag.value());
    }

    /// Moves the tags of the publication to its version.
    void moveTags(Tx tx, Tags all, ChangeOrigin origin, BundleSnapshot bundle, NewVersion publication, VersionRow to) {
        for (Tag tag : new LinkedHashSet<>(publication.tags())) {
            if (!tag.equals(Tag.LATEST)) { // managed by the registry; publishers cannot set it
                BundleTags.move(tx, all, origin, bundle, tag.value(), tag(tag), to.manifest());
            }
        }
    }
}
