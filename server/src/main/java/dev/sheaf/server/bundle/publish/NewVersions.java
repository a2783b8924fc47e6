package dev.sheaf.server.bundle.publish;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.engine.db.pipeline.PipelineAnswer;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Visibility;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.bundle.AssetRows;
import dev.sheaf.server.bundle.BundleRow;
import dev.sheaf.server.bundle.BundleRows;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.bundle.requirement.RequirementRows;
import dev.sheaf.server.bundle.tag.BundleTags;
import dev.sheaf.server.bundle.tag.LatestTag;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.hub.HubIndex;
import dev.sheaf.server.registry.content.HeldRows;
import dev.sheaf.server.registry.content.LinkedBlobs;
import dev.sheaf.server.registry.content.Manifests;
import dev.sheaf.server.registry.tag.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Writes a new version with all that belongs to it, in the transaction of [Publish].
final class NewVersions {
    private final Manifests manifests;
    private final Tags tags;

    NewVersions(Manifests manifests, Tags tags) {
        this.manifests = manifests;
        this.tags = tags;
    }

    /// What the transaction knows before it writes.
    ///
    /// @param entry the bundle's entry in the hub; null if there is none or the bundle is private
    record Ready(TakenNames taken, LinkedBlobs linked, HubIndex.@Nullable Entry entry) {}

    Publish.Published insert(Tx tx, ChangeOrigin origin, BundleSnapshot bundle, NewVersion publication, Ready ready) {
        var content = publication.content();
        var current = LatestTag.latest(tx, bundle, ready.taken().tag(Tag.LATEST)); // before the new version exists
        var stored = manifests.store(tx, bundle.repository(), content.manifest(), ready.linked());
        var manifest = stored.manifest();
        HeldRows.open(tx, bundle.repository(), manifest.id());
        var version = VersionRows.insert(
                tx,
                bundle,
                content.version(),
                manifest,
                content.size(),
                Objects.requireNonNullElse(publication.pushedBy(), origin.actor()),
                publication.notes().read());
        var assets = AssetRows.insert(tx, version.id(), content.assets());
        VersionNoteRows.insert(tx, version.id(), publication.notes());
        RequirementRows.insert(tx, version.id(), bundle.name(), content.requires());
        var event = new Event.VersionPublished(
                bundle.bundle().id(),
                version.id(),
                bundle.name().toString(),
                content.version().toString(),
                version.digest().toString());
        OutboxRows.emit(tx, origin, event, bundle.visibility() == Visibility.PUBLIC);
        AuditRows.record(tx, origin, "version.publish", bundle.name() + ":" + content.version());
        var last = ready.taken().latest();
        var latest = last != null && VersionRows.BY_LATEST.compare(last, version) > 0 ? last : version;
        var moves = moves(current, last, version, latest);
        tags.set(tx, bundle.repository(), moves, origin.actor());
        update(
                tx,
                bundle,
                publication,
                ready.entry(),
                latest,
                new BundleSnapshot.Resolved(version, assets, List.of(), content.requires()));
        ready.taken().moveTags(tx, tags, origin, bundle, publication, version);
        boolean isPushed = current.isOfRegistry();
        if (isPushed) {
            LatestTag.remember(tx, tags, bundle, origin.actor());
        }
        var names = stored.isNew() && !isPushed
                ? BundleTags.visible(newTags(publication, moves, version), version.version())
                : BundleTags.of(tx, tags, bundle, version);
        return new Publish.Published(
                bundle,
                new BundleSnapshot.Resolved(version, assets, names, content.requires()),
                publication.notes(),
                PublishNotice.of(bundle, publication, names),
                stored.isReferred());
    }

    /// Returns the moves of the tags that a new version causes: the tag of its number, and `latest`.
    private static List<Tags.Move> moves(
            LatestTag.Latest current, @Nullable VersionRow last, VersionRow version, VersionRow latest) {
        var moves = new ArrayList<Tags.Move>();
        var own = version.version().ociTag();
        moves.add(new Tags.Move(own, null, version.manifest(), Tags.Kind.VERSION, false));
        var tag = current.tag();
        boolean keeps = tag != null && last != null && tag.manifestId() == last.manifestId();
        LatestTag.move(current, latest, keeps).ifPresent(moves::add);
        return moves;
    }

    /// Returns the names of the tags that point to the new manifest of a version.
    private static Stream<String> newTags(NewVersion publication, List<Tags.Move> moves, VersionRow version) {
        return Stream.concat(
                publication.tags().stream()
                        .filter(tag -> !tag.equals(Tag.LATEST))
                        .map(Tag::value),
                moves.stream()
                        .filter(move ->
                                move.kind() != Tags.Kind.VERSION && move.to().id() == version.manifestId())
                        .map(Tags.Move::name));
    }

    // --- the profile of the bundle and the hub ---

    /// Asks for the entry of the hub before the publish.
    static PipelineAnswer<Optional<HubIndex.Entry>> entry(Tx tx, BundleSnapshot bundle) {
        // a private bundle was removed from the hub when it became private
        return bundle.visibility() == Visibility.PUBLIC
                ? HubIndex.entry(tx, bundle.repository())
                : PipelineAnswer.of(Optional.empty());
    }

    /// @param latest the latest version now, which may be the published one
    private static void update(
            Tx tx,
            BundleSnapshot bundle,
            NewVersion publication,
            HubIndex.@Nullable Entry entry,
            VersionRow latest,
            BundleSnapshot.Resolved published) {
        boolean isLatest = latest.id().equals(published.version().id());
        String slug = bundle.name().bundle().value();
        var content = isLatest
                ? HubIndex.Content.of(
                        tx,
                        slug,
                        published.assets(),
                        publication.blobs(),
                        publication.notes().risk())
                : null;
        var row = content == null ? bundle.bundle() : described(tx, bundle, publication, content);
        if (bundle.visibility() == Visibility.PUBLIC) {
            HubIndex.list(tx, bundle.repository(), row, latest, content, entry, published.version());
        }
    }

    private static BundleRow described(Tx tx, BundleSnapshot bundle, NewVersion publication, HubIndex.Content content) {
        var row = bundle.bundle();
        var told = publication.description();
        var annotations = publication.content().manifest().annotations();
        var said = DerivedProfile.of(tx, content, annotations, publication.blobs());
        if (said.equals(DerivedProfile.NOTHING)) { // earlier texts stay
            return BundleRows.update(tx, row, told.over(bundle));
        }
        var before = DerivedProfileRows.find(tx, row.id());
        var shown = said.shown(bundle, told, before);
        if (!shown.equals(before)) {
            DerivedProfileRows.put(tx, row.id(), shown);
        }
        return BundleRows.update(tx, row, shown.over(told.over(bundle)));
    }
}
