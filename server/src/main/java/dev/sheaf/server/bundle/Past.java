package dev.sheaf.server.bundle;

import dev.sheaf.model.Digest;
import dev.sheaf.model.Selector;
import dev.sheaf.model.Tag;
import dev.sheaf.model.Version;
import dev.sheaf.server.db.Tx;
import dev.sheaf.server.registry.TagMove;
import dev.sheaf.server.registry.Tags;
import java.time.Instant;
import java.util.Optional;

/// What a selector meant at another moment, or what it means to those who take only what has been out for a while
/// (contract 3.1), from the history of tags, publishes and yanks.
///
/// A digest or an exact version is found where it was old enough, yanked or not. A range means the highest version
/// that was old enough and not yanked. A tag means what it pointed to; where an age is asked for, the latest of the
/// versions that it had pointed to that was old enough and not yanked.
final class Past {
    /// What is committed counts, though another node's clock, or the database's, may be ahead of this one.
    private static final Instant ALL_OF_IT = Instant.parse("9999-12-31T23:59:59Z");

    private static final int MOVES_AT_ONCE = 100;
    private static final int MOVES_LOOKED_AT = 2_000;

    private final Tx tx;
    private final Snapshot snapshot;
    private final Tags tags;
    private final Moment moment;
    private final Instant at;
    private final Instant publishedUntil;

    Past(Tx tx, Snapshot snapshot, Tags tags, Moment moment) {
        this.tx = tx;
        this.snapshot = snapshot;
        this.tags = tags;
        this.moment = moment;
        this.at = moment.asOf() == null ? ALL_OF_IT : moment.asOf();
        this.publishedUntil = (moment.asOf() == null ? tx.now() : moment.asOf()).minus(moment.minAge());
    }

    Optional<VersionRow> find(Selector selector) {
        var bundle = snapshot.bundle().id();
        return switch (selector) {
            case Selector.ByDigest(Digest digest) ->
                VersionRows.find(tx, bundle, digest).filter(this::isOldEnough);
            case Selector.ByVersion(Version exact) ->
                VersionRows.exact(tx, bundle, exact).filter(this::isOldEnough);
            case Selector.Default ignored -> tagged(Tag.LATEST);
            case Selector.ByTag(Tag tag) -> tagged(tag);
            case Selector.ByRange(String range) ->
                Resolve.highest(range, VersionRows.publishedAt(tx, bundle, publishedUntil, at))
                        .flatMap(exact -> VersionRows.find(tx, bundle, exact));
        };
    }

    private boolean isOldEnough(VersionRow version) {
        return !version.publishedAt().isAfter(publishedUntil);
    }

    private Optional<VersionRow> tagged(Tag tag) {
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
                    return pointedTo(move); // the tag was not there, or any age will do
                }
                first = false;
                var target = pointedTo(move).filter(this::isOldEnough).filter(this::wasNotYanked);
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

    private Optional<VersionRow> pointedTo(TagMove move) {
        var digest = move.newDigest();
        return digest == null
                ? Optional.empty()
                : VersionRows.find(tx, snapshot.bundle().id(), digest);
    }

    private boolean wasNotYanked(VersionRow version) {
        return !VersionRows.wasYanked(tx, version.id(), at);
    }
}
