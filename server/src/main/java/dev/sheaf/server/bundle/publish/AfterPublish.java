package dev.sheaf.server.bundle.publish;

import dev.sheaf.model.Visibility;
import dev.sheaf.server.auth.Origin;
import dev.sheaf.server.bundle.BundleRow;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.Snapshot;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.tag.LatestTag;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.hub.HubIndex;
import dev.sheaf.server.registry.tag.Tags;

/// The updates after a publish, in its transaction: the bundle's profile, the hub and `latest`.
final class AfterPublish {
    private AfterPublish() {}

    static void update(
            Tx tx,
            Tags tags,
            Origin origin,
            Snapshot bundle,
            Publication publication,
            LatestTag.Latest current,
            Snapshot.Resolved published) {
        var id = bundle.bundle().id();
        var latest = VersionRows.latest(tx, id).orElseThrow();
        boolean isLatest = latest.id().equals(published.version().id());
        String slug = bundle.name().bundle().value();
        var content = isLatest ? HubIndex.Content.of(tx, slug, published.assets()) : null;
        var row = content == null ? bundle.bundle() : described(tx, bundle, publication, content);
        // a private bundle was removed from the hub when it became private
        if (bundle.visibility() == Visibility.PUBLIC) {
            HubIndex.list(tx, bundle.repository(), row, latest, content, current.isOfVersion());
        }
        LatestTag.follow(tx, tags, bundle, current, latest, origin.actor());
    }

    private static BundleRow described(Tx tx, Snapshot bundle, Publication publication, HubIndex.Content content) {
        var id = bundle.bundle().id();
        var told = publication.description();
        var annotations = publication.content().manifest().annotations();
        var said = DerivedProfile.of(tx, content, annotations);
        if (said.equals(DerivedProfile.NOTHING)) { // earlier texts stay
            return BundleRows.update(tx, id, told.over(bundle));
        }
        var before = DerivedProfileRows.find(tx, id);
        var shown = said.shown(bundle, told, before);
        if (!shown.equals(before)) {
            DerivedProfileRows.put(tx, id, shown);
        }
        return BundleRows.update(tx, id, shown.over(told.over(bundle)));
    }
}
