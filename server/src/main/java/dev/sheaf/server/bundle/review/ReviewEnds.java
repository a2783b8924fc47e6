package dev.sheaf.server.bundle.review;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Version;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.registry.Repositories;
import dev.sheaf.server.registry.Repository;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Ends pushes that need approval: by a decision, or because time is over. Thread-safe.
public final class ReviewEnds {
    private static final Duration KEPT = Duration.ofDays(30); // for writers and reviewers
    private static final Duration WARNING = Duration.ofDays(2);
    private static final int BATCH = 100;

    private final Database database;
    private final Repositories repositories;

    public ReviewEnds(Database database, Repositories repositories) {
        this.database = database;
        this.repositories = repositories;
    }

    /// Ends a push, in a transaction that has locked its repository.
    public static Review end(Tx tx, ChangeOrigin origin, Review review, ReviewState state) {
        ReviewRows.end(tx, review, state);
        OutboxRows.emit(tx, origin, event(review, state));
        AuditRows.record(tx, origin, "version." + verb(state), review.subject(), "round " + review.round());
        Repositories.announce(tx, review.ref());
        return ReviewRows.find(tx, review.id()).orElseThrow();
    }

    /// Withdraws all that waits in a repository.
    public static void withdrawAll(Tx tx, ChangeOrigin origin, Repository repository) {
        ReviewRows.held(tx, repository.id()).forEach(review -> end(tx, origin, review, ReviewState.WITHDRAWN));
    }

    static Event event(Review review, ReviewState state) {
        String bundle = review.ref().toString();
        String version = review.version().toString();
        String digest = review.digest().toString();
        return switch (state) {
            case HELD -> new Event.VersionHeld(review.id(), bundle, version, digest);
            case PUBLISHED -> new Event.VersionApproved(review.id(), bundle, version, digest);
            case REJECTED -> new Event.VersionRejected(review.id(), bundle, version, digest);
            case WITHDRAWN -> new Event.VersionWithdrawn(review.id(), bundle, version, digest);
            case EXPIRED -> new Event.VersionExpired(review.id(), bundle, version, digest);
        };
    }

    /// Announces that a version waits.
    public static void announceAsked(Tx tx, ChangeOrigin origin, Review review) {
        OutboxRows.emit(tx, origin, event(review, ReviewState.HELD));
        AuditRows.record(tx, origin, "version.request-review", review.subject(), "round " + review.round());
        Repositories.announce(tx, review.ref());
    }

    /// Ends a question to scanners that found nothing, of which nobody need learn.
    public static Review endQuietly(Tx tx, Review review) {
        ReviewRows.end(tx, review, ReviewState.PUBLISHED);
        Repositories.announce(tx, review.ref());
        return ReviewRows.find(tx, review.id()).orElseThrow();
    }

    /// Ends the review of a published version whose content readers no longer get.
    public static void withdraw(Tx tx, ChangeOrigin origin, Repository repository, Version version) {
        ReviewRows.open(tx, repository.id(), version)
                .filter(Review::ofPublished)
                .ifPresent(review -> end(tx, origin, review, ReviewState.WITHDRAWN));
    }

    private static String verb(ReviewState state) {
        return switch (state) {
            case HELD -> "hold";
            case PUBLISHED -> "approved";
            case REJECTED -> "reject";
            case WITHDRAWN -> "withdraw";
            case EXPIRED -> "expire";
        };
    }

    /// Ends pushes that waited too long, warns of those that soon do, and lets go of the content of those that ended
    /// long ago. Returns how many it ended.
    public int sweep() {
        for (var review : database.read(tx -> ReviewRows.ending(tx, tx.now().plus(WARNING), true, BATCH))) {
            database.write(tx -> {
                warn(tx, review);
                return review;
            });
        }
        int ended = 0;
        for (var review : database.read(tx -> ReviewRows.ending(tx, tx.now(), false, BATCH))) {
            ended += database.write(tx -> expire(tx, review));
        }
        database.write(tx -> ReviewRows.letGo(tx, tx.now().minus(KEPT), BATCH));
        return ended;
    }

    private void warn(Tx tx, Review seen) {
        var review = current(tx, seen);
        if (review != null && review.round() == seen.round()) {
            ReviewRows.warned(tx, review);
            OutboxRows.emit(
                    tx,
                    review.organizationId(),
                    new Event.VersionExpiring(
                            review.id(),
                            review.ref().toString(),
                            review.version().toString(),
                            review.digest().toString(),
                            review.expiresAt().toString()));
        }
    }

    private int expire(Tx tx, Review seen) {
        var review = current(tx, seen);
        if (review == null || review.expiresAt().isAfter(tx.now())) {
            return 0;
        }
        ReviewRows.end(tx, review, ReviewState.EXPIRED);
        OutboxRows.emit(tx, review.organizationId(), event(review, ReviewState.EXPIRED));
        Repositories.announce(tx, review.ref());
        return 1;
    }

    /// Returns a push as it is now, with its repository locked; null if it does not wait any more.
    private @Nullable Review current(Tx tx, Review seen) {
        repositories.lock(tx, seen.ref());
        return ReviewRows.find(tx, seen.id()).filter(Review::isHeld).orElse(null);
    }
}
