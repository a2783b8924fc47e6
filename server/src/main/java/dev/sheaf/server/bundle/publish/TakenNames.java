package dev.sheaf.server.bundle.publish;

import dev.sheaf.model.Tag;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.registry.tag.TagRecord;
import dev.sheaf.server.registry.tag.Tags;
import java.util.HashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The existing version and tags under the names of a publication, looked up once before its transaction writes.
///
/// @param version with the same number; null if there is none
/// @param tags the existing tags of the publication, and `latest`, by name
record TakenNames(@Nullable VersionRow version, Map<String, TagRecord> tags) {
    static TakenNames of(Tx tx, Tags tags, Snapshot bundle, Publication publication) {
        var names = new HashSet<String>();
        names.add(Tag.LATEST.value());
        publication.tags().forEach(tag -> names.add(tag.value()));
        return new TakenNames(
                VersionRows.find(tx, bundle.bundle().id(), publication.content().version())
                        .orElse(null),
                tags.find(tx, bundle.repository(), names));
    }

    @Nullable
    TagRecord tag(Tag tag) {
        return tags.get(tag.value());
    }
}
