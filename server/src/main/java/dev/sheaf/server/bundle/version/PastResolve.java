package dev.sheaf.server.bundle.version;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionRange;
import dev.sheaf.model.VersionSelector;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import dev.sheaf.server.registry.TombstoneRows;
import dev.sheaf.server.registry.TombstoneRows.Tombstone;
import dev.sheaf.server.registry.tag.TagMove;
import dev.sheaf.server.registry.tag.Tags;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Resolves a selector as of another moment, or for callers that only accept versions of some age (contract 3.1),
/// from the history of tags, publishes and yanks.
///
/// A digest or an exact version is found if it was old enough, yanked or not. A range means the highest version
/// that was old enough and not yanked. A tag means the version to which it pointed; with a minimum age, the
/// last such version that was old enough and not yanked. In all cases, if the meant version has been deleted
/// since, the answer is version-deleted and never another version.
final class PastResolve {
    /// A time later than every commit: the clock of another node or of the database may be ahead of this one.
    private static final Instant ALL_OF_IT = Instant.parse("9999-12-31T23:59:59Z");

    private static final int MOVES_AT_ONCE = 100;
    private static final int MOVES_LOOKED_AT = 2_000;

    private final Tx tx;
    private final BundleSnapshot snapshot;
    private final Tags tags;
    private final ResolveTime moment;
    private final Instant at;
    private final Instant publishedUntil;

    PastResolve(Tx tx, BundleSnapshot snapshot, Tags tags, ResolveTime moment) {
        this.tx = tx;
        this.snapshot = snapshot;
        this.tags = tags;
        this.moment = moment;
        this.at = moment.asOf() == null ? ALL_OF_IT : moment.asOf();
        this.publishedUntil = (moment.asOf() == null ? tx.now() : moment.asOf()).minus(moment.minAge());
    }

    /// The meaning of a selector: a version, or one that was deleted since.
    private record Meaning(
            @Nullable VersionRow version, @Nullable Tombstone grave) {
        static Meaning of(VersionRow version) {
            return new Meaning(version, null);
        }

        static Meaning of(Tombstone grave) {
            return new Meaning(null, grave);
        }
    }

    Optional<VersionRow> find(VersionSelector selector) {
        return meaning(selector).flatMap(found -> Optional.ofNullable(found.version()));
    }

    /// Returns the version that the selector meant if it was deleted since.
    Optional<Tombstone> deleted(VersionSelector selector) {
        return meaning(selector).flatMap(found -> Optional.ofNullable(found.grave()));
    }

    private Optional<Meaning> meaning(VersionSelector selector) {
        var bundle = snapshot.bundle().id();
        return switch (selector) {
            case VersionSelector.ByDigest(Digest digest) ->
                VersionRows.find(tx, bundle, digest)
                        .filter(this::isOldEnough)
                        .map(Meaning::of)
                        .or(() -> TombstoneRows.find(tx, snapshot.repository(), digest)
                                .filter(this::isOldEnough)
                                .map(Meaning::of));
            case VersionSelector.ByVersion(Version exact) ->
                VersionRows.exact(tx, bundle, exact)
                        .filter(this::isOldEnough)
                        .map(Meaning::of)
                        .or(() -> TombstoneRows.find(tx, snapshot.repository(), exact)
                                .filter(grave -> exact.build().isEmpty()
                                        || grave.version().equals(exact))
                                .filter(this::isOldEnough)
                                .map(Meaning::of));
            case VersionSelector.Default ignored -> tagged(Tag.LATEST);
            case VersionSelector.ByTag(Tag tag) -> tagged(tag);
            case VersionSelector.ByRange range ->
                range.tag()
                        .flatMap(this::tagged)
                        .or(() -> VersionRange.find(range.range())
                                .flatMap(found -> found.highest(candidates()))
                                .flatMap(this::exact));
        };
    }

    /// Returns the versions that could be chosen then, highest first, including versions deleted since.
    private List<Version> candidates() {
        var there = VersionRows.publishedAt(tx, snapshot.bundle().id(), publishedUntil, at);
        var gone = TombstoneRows.all(tx, snapshot.repository(), at).stream()
                .filter(this::couldBeChosen)
                .map(Tombstone::version);
        return Stream.concat(there.stream(), gone)
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    private Optional<Meaning> exact(Version version) {
        return VersionRows.find(tx, snapshot.bundle().id(), version)
                .map(Meaning::of)
                .or(() -> TombstoneRows.find(tx, snapshot.repository(), version).map(Meaning::of));
    }

    private boolean isOldEnough(VersionRow version) {
        return !version.publishedAt().isAfter(publishedUntil);
    }

    private boolean isOldEnough(Tombstone grave) {
        return !grave.publishedAt().isAfter(publishedUntil);
    }

    /// Returns whether the deleted version existed then, was old enough and not yanked.
    private boolean couldBeChosen(Tombstone grave) {
        var yanked = grave.yankedAt();
        return isOldEnough(grave) && grave.deletedAt().isAfter(at) && (yanked == null || yanked.isAfter(at));
    }

    private Optional<Meaning> tagged(Tag tag) {
        long before = Long.MAX_VALUE;
        boolean first = true;
        for (int looked = 0; looked < MOVES_LOOKED_AT; looked += MOVES_AT_ONCE) {
            var moves = tags.history(tx, snapshot.repository(), tag.value(), before, MOVES_AT_ONCE);
            for (TagMove move : moves) {
                before = move.seq();
                if (move.movedAt().isAfter(at)) {
                    continue;
                }
                if (first && (move.newDigest() == null || moment.minAge().isZero())) {
                    // the tag did not exist, or any age is accepted
                    return pointedTo(move, tag).or(() -> kept(move, tag));
                }
                first = false;
                var target = pointedTo(move, tag).filter(this::couldBeChosen);
                if (target.isPresent()) {
                    return target;
                }
            }
            if (moves.size() < MOVES_AT_ONCE) {
                break;
            }
        }
        return Optional.empty();
    }

    private boolean couldBeChosen(Meaning meaning) {
        var version = meaning.version();
        return version == null
                ? couldBeChosen(Objects.requireNonNull(meaning.grave()))
                : isOldEnough(version) && wasNotYanked(version);
    }

    private Optional<Meaning> pointedTo(TagMove move, Tag tag) {
        var digest = move.newDigest();
        if (digest == null) {
            return Optional.empty();
        }
        return VersionRows.find(tx, snapshot.bundle().id(), digest)
                .filter(version -> tag.mayMean(version.version()))
                .map(Meaning::of)
                .or(() -> TombstoneRows.find(tx, snapshot.repository(), digest)
                        .filter(grave -> tag.mayMean(grave.version()))
                        .map(Meaning::of));
    }

    /// Returns the meaning of a `latest` that pointed to a manifest without a version: the highest version,
    /// preferring stable ones.
    private Optional<Meaning> kept(TagMove move, Tag tag) {
        if (move.newDigest() == null || !tag.equals(Tag.LATEST)) {
            return Optional.empty();
        }
        var candidates = candidates();
        return candidates.stream()
                .filter(version -> !version.isPrerelease())
                .findFirst()
                .or(() -> candidates.stream().findFirst())
                .flatMap(this::exact);
    }

    private boolean wasNotYanked(VersionRow version) {
        return !VersionRows.wasYanked(tx, version.id(), at);
    }
}
